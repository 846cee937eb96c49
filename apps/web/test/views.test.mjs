// Settings, the prompt, the dashboard, several models.
import assert from 'node:assert/strict'
import { chats, desktop, idle, lastAnswer, openSettings, pageTest, phone, say } from './support.mjs'

pageTest(
  'a setting goes with each request; what is not set is left to the server',
  async (page, server) => {
    await openSettings(page)
    assert.equal(
      await page.getByLabel('Top P', { exact: true }).getAttribute('placeholder'),
      '0.95',
    )
    await page.getByLabel('Temperature', { exact: true }).fill('0.25')
    await page.getByLabel('Answer limit', { exact: true }).fill('99')
    // What the server says anew takes nothing away that is being typed.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.waitForTimeout(300)
    assert.equal(await page.getByLabel('Answer limit', { exact: true }).inputValue(), '99')
    await page.getByLabel('System prompt').fill('Be brief.')
    await page.click('button[aria-label="Close the settings"]')
    await say(page, 'hello')
    const body = chats(server)[0]
    assert.equal(body.temperature, 0.25)
    assert.equal(body.max_tokens, 99)
    assert.equal(body.top_p, undefined)
    assert.deepEqual(body.messages[0], { role: 'system', content: 'Be brief.' })
    await page.reload()
    await openSettings(page)
    assert.equal(await page.getByLabel('Temperature', { exact: true }).inputValue(), '0.25')
    await page.click('text=Reset all')
    assert.equal(await page.getByLabel('Temperature', { exact: true }).inputValue(), '')
  },
  { sizes: [desktop, phone] },
)

pageTest(
  'a JSON schema becomes the form of the answer; a broken one is not sent',
  async (page, server) => {
    await openSettings(page)
    await page.getByLabel('JSON schema').fill('{ "type": ')
    await page.waitForSelector('.help.fault:has-text("No JSON")')
    await say(page, 'who?')
    await page.waitForSelector('.notice.bad:has-text("JSON schema")')
    assert.equal(chats(server).length, 0)
    await page.getByLabel('JSON schema').fill('{ "type": "object" }')
    await say(page, 'who?')
    assert.deepEqual(chats(server)[0].response_format, {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    })
    assert.match(await lastAnswer(page).innerText(), /\{"name": "Ada"\}/)
  },
)

pageTest(
  'thinking is left to the model, switched off, or given an effort',
  async (page, server) => {
    await openSettings(page)
    for (const level of ['auto', 'off', 'high']) {
      await page.getByLabel('Thinking').selectOption(level)
      await say(page, `hello ${level}`)
    }
    const [auto, off, high] = chats(server)
    assert.equal(auto.chat_template_kwargs, undefined)
    assert.deepEqual(off.chat_template_kwargs, { enable_thinking: false })
    assert.equal(high.reasoning_effort, 'high')
  },
)

pageTest(
  'the tokens of an answer are shown with what else could have stood there',
  async (page, server) => {
    await openSettings(page)
    await page.getByLabel('Keep the probabilities of tokens').check()
    await say(page, 'hello there')
    assert.equal(chats(server)[0].top_logprobs, 5)
    await lastAnswer(page).locator('button[aria-label="Tokens and probabilities"]').click()
    const tokens = lastAnswer(page).locator('.tokens .token')
    assert.equal((await tokens.allTextContents()).join(''), 'You said: hello there')
    await tokens.nth(1).click()
    const rows = await lastAnswer(page).locator('.alternatives tbody tr').allInnerTexts()
    assert.equal(rows.length, 3)
    assert.match(rows[0], /·said:.*\d+%/s)
  },
)

pageTest(
  'the prompt view shows a conversation as the model reads it, its tokens, and a continuation',
  async (page, server) => {
    await say(page, 'hello')
    await page.click('button[role=tab][aria-label=Prompt]')
    await page.click('text=From the conversation')
    await page.waitForFunction(() =>
      document.querySelector('.raw').value.includes('<|im_start|>user\nhello'),
    )
    await page.click('text=Show tokens')
    await page.waitForSelector('.tokens.plain .token')
    await page.click('text=Continue the text')
    await page.waitForSelector('text=Add to the prompt')
    const { n_probs, prompt } = server.requests.at(-1).body
    assert.equal(n_probs, 5)
    assert.match(prompt, /hello/)
    await page.click('.token-view .token >> nth=2')
    assert.equal(await page.locator('.alternatives tr.chosen').count(), 1)
    await page.click('text=Add to the prompt')
    assert.match(await page.inputValue('.raw'), /kept the whole house warm\.$/)
  },
  { sizes: [desktop, phone] },
)

const painted = (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.some((value) => value !== 0)
}

pageTest(
  'the dashboard shows speed, percentiles, queue, memory and sequences',
  async (page) => {
    await page.click('button[role=tab][aria-label=Dashboard]')
    await page.waitForSelector('.tile:has-text("tokens/s")')
    await page.waitForTimeout(1500)
    const canvases = page.locator('.plot canvas')
    assert.equal(await canvases.count(), 6)
    for (const canvas of await canvases.all()) assert.ok(await canvas.evaluate(painted))
    const rows = await page.locator('[aria-label=Latency] tbody tr').allInnerTexts()
    assert.equal(rows.length, 4)
    for (const row of rows) assert.equal(row.match(/\d m?s/g).length, 9)
    assert.match(
      await page.locator('.slots').innerText(),
      /writing, 93 tokens[\s\S]*reading[\s\S]*512 of 2,040/,
    )
    const asked = () =>
      page.evaluate(() => performance.getEntriesByName(new URL('v1/stats', location).href).length)
    await page.click('button[role=tab][aria-label=Chat]')
    await page.waitForTimeout(300)
    const before = await asked()
    await page.waitForTimeout(1500)
    assert.equal(await asked(), before, 'nothing is asked when nobody looks')
  },
  { sizes: [desktop, phone] },
)

pageTest('the dashboard copes with figures that a server does not have', async (page) => {
  const nothing = { count: 0, p50: 0, p95: 0, p99: 0 }
  const latency = { '1m': nothing, '5m': nothing, '15m': nothing }
  const json = {
    tokens_per_second: { prompt: 0, generated: 0 },
    queue: { running: 0, waiting: 0 },
    latency_seconds: { ttft: latency, inter_token: latency },
    memory_bytes: { resident: 2 ** 28, limit: null },
  }
  await page.route('**/v1/stats', (route) => route.fulfill({ json }))
  await page.click('button[role=tab][aria-label=Dashboard]')
  await page.waitForSelector('.tile:has-text("256 MiB")')
  assert.equal(await page.locator('.plot canvas').count(), 5)
  assert.match(await page.locator('.tiles').innerText(), /First token, P95\n–/)
  const cells = await page.locator('[aria-label=Latency] tbody td').allInnerTexts()
  assert.deepEqual([...new Set(cells)], ['–'])
})

pageTest('a server without statistics is no failure', async (page) => {
  await page.route('**/v1/stats', (route) =>
    route.fulfill({ status: 404, json: { error: { message: 'x' } } }),
  )
  await page.click('button[role=tab][aria-label=Dashboard]')
  await page.waitForSelector('.fault:has-text("keeps no statistics")')
  await page.waitForSelector('.slots')
})

pageTest(
  'one of several models is chosen, loaded and used',
  async (page, server) => {
    await page.click('.model')
    await page.click('[role=menu] >> text=big')
    await page.click('.model')
    await page.click('[role=menu] >> text=Load big')
    await page.waitForFunction(() => document.querySelector('.model').innerText.includes('big'))
    await say(page, 'hello')
    assert.equal(chats(server)[0].model, 'big')
    assert.deepEqual(server.models[1].status, { value: 'loaded' })
  },
  {
    server: {
      models: [
        { id: 'small', status: { value: 'loaded' } },
        { id: 'big', status: { value: 'unloaded' } },
      ],
    },
  },
)

pageTest('the keys do what their list says', async (page, server) => {
  const visible = (selector) => page.locator(selector).evaluate((element) => !element.inert)
  await page.keyboard.press('Control+b')
  assert.equal(await visible('.sidebar'), false)
  await page.keyboard.press('Control+,')
  assert.equal(await visible('.panel'), true)
  await page.keyboard.press('Alt+2')
  await page.waitForSelector('.prompt-view')
  await page.focus('[role=tab][aria-selected=true]')
  await page.keyboard.press('ArrowRight')
  await page.waitForSelector('.dashboard')
  await page.keyboard.press('Alt+1')
  await page.keyboard.press('Control+/')
  await page.waitForSelector('dialog .shortcuts')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog', { state: 'detached' })
  await page.locator('.thread').click()
  await page.keyboard.press('/')
  const release = server.holdAfter(30)
  await page.keyboard.type('a long one')
  await page.keyboard.press('Enter')
  await page.waitForSelector('button[aria-label=Stop]')
  await page.keyboard.press('Escape')
  await idle(page)
  release()
  await page.keyboard.press('Control+Shift+O')
  await page.waitForSelector('.empty')
  assert.equal(await page.evaluate(() => document.activeElement.id), 'composer')
})
