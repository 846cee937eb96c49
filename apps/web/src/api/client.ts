// Requests to the server that sent this page. The key lives in this variable only: it is never
// stored.
import { signal } from '@preact/signals'

export const apiKey = signal('')

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number, // 0: no answer at all
    readonly type: string,
  ) {
    super(message)
  }
}

interface Options {
  body?: unknown
  signal?: AbortSignal
}

// Paths are relative to the page, so that a path prefix in front of the server does no harm.
export async function request(path: string, { body, signal }: Options = {}): Promise<Response> {
  const headers: Record<string, string> = {}
  if (apiKey.value) headers['Authorization'] = `Bearer ${apiKey.value}`
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response: Response
  try {
    response = await fetch(new URL(path, document.baseURI), {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('The server does not answer.', 0, 'network')
  }
  if (!response.ok) throw await errorOf(response)
  return response
}

async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  try {
    const { error } = JSON.parse(text)
    if (typeof error === 'string') return new ApiError(error, response.status, '')
    if (typeof error?.message === 'string')
      return new ApiError(error.message, response.status, String(error.type ?? ''))
  } catch {
    // not JSON: what follows says what is known
  }
  const meaning = response.status === 401 ? 'This server wants an API key.' : response.statusText
  return new ApiError(meaning || `The server answered ${response.status}.`, response.status, '')
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal ? { signal } : {})).json()
}

export async function postJson<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await request(path, signal ? { body, signal } : { body })).json()
}
