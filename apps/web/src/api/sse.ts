// Server-sent events: "data: {json}" lines, an empty line after each event, ": comment" to keep a
// connection alive.
import { ApiError, request } from './client'

// The values of the data fields, in order. Lines may end in LF, CRLF or CR and come in any pieces.
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      // A CR at the very end may be half of a CRLF.
      const cut = done ? rest.length : rest.endsWith('\r') ? rest.length - 1 : rest.length
      const lines = rest.slice(0, cut).split(/\r\n|\n|\r/)
      rest = lines.pop()! + rest.slice(cut)
      for (const line of lines) {
        if (line === '' && data.length) {
          yield data.join('\n')
          data = []
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line[5] === ' ' ? 6 : 5))
        }
      }
      if (done) return
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

// Posts and yields each event's JSON until [DONE]. An event that holds an error is thrown.
export async function* postStream<T>(
  path: string,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const response = await request(path, { body, signal })
  if (!response.body) return
  for await (const data of readEvents(response.body)) {
    if (data === '[DONE]') return
    const event = JSON.parse(data)
    if (event.error) {
      const { message, code, type } = event.error
      throw new ApiError(message ?? 'The server failed.', Number(code) || 500, type ?? '')
    }
    yield event
  }
}
