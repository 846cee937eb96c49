// From turns and settings to the body of POST /v1/chat/completions.
import { chosenModel, currentModel } from '../state/server'
import { readJson, settings } from '../state/settings'
import type { TextFile, Turn } from '../state/tree'

type Built = { value: Record<string, unknown> } | { fault: string }

// A fence longer than any in the text, so that a file cannot end its own block.
function fenced({ name, text }: TextFile): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length))
  const fence = '`'.repeat(longest + 1)
  return `File ${JSON.stringify(name)}:\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}

export function messageOf(turn: Turn): Record<string, unknown> {
  if (turn.role === 'tool')
    return { role: 'tool', tool_call_id: turn.callId, content: turn.content }
  if (turn.role === 'user') {
    const parts = [...(turn.files ?? []).map(fenced), turn.content]
    return { role: 'user', content: parts.filter(Boolean).join('\n\n') }
  }
  const message: Record<string, unknown> = { role: 'assistant', content: turn.content }
  if (turn.reasoning) message['reasoning_content'] = turn.reasoning
  if (turn.calls?.length)
    message['tool_calls'] = turn.calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }))
  return message
}

export function messagesOf(turns: Turn[]): Record<string, unknown>[] {
  const system = settings.value.system.trim()
  return [...(system ? [{ role: 'system', content: system }] : []), ...turns.map(messageOf)]
}

export function samplingBody(): Record<string, unknown> {
  const stop = settings.value.stop.split('\n').filter(Boolean)
  return { ...settings.value.sampling, ...(stop.length ? { stop } : {}) }
}

function reasoningBody(): Record<string, unknown> {
  const { reasoning } = settings.value
  if (reasoning === 'auto') return {}
  if (reasoning === 'off') return { chat_template_kwargs: { enable_thinking: false } }
  return { reasoning_effort: reasoning, chat_template_kwargs: { reasoning_effort: reasoning } }
}

export function chatBody(turns: Turn[]): Built {
  const { schema, tools, extra, probabilities } = settings.value
  const read = {
    'JSON schema': readJson(schema, 'object'),
    Tools: readJson(tools, 'array'),
    'Further fields': readJson(extra, 'object'),
  }
  for (const [name, { fault }] of Object.entries(read))
    if (fault) return { fault: `Settings, ${name}: ${fault}` }
  const form = read['JSON schema'].value
  return {
    value: {
      model: chosenModel.value || currentModel.value?.id || '',
      messages: messagesOf(turns),
      stream: true,
      stream_options: { include_usage: true },
      timings_per_token: true,
      return_progress: true,
      ...samplingBody(),
      ...reasoningBody(),
      ...(probabilities ? { logprobs: true, top_logprobs: 5 } : {}),
      ...(form
        ? {
            response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: form } },
          }
        : {}),
      ...(read.Tools.value ? { tools: read.Tools.value } : {}),
      ...(read['Further fields'].value as object | undefined),
    },
  }
}
