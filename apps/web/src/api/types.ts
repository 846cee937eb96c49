// What the server sends, as far as the page reads it.

export interface Timings {
  cache_n?: number
  prompt_n: number
  prompt_ms: number
  prompt_per_second: number
  predicted_n: number
  predicted_ms: number
  predicted_per_second: number
}

export interface PromptProgress {
  total: number
  cache: number
  processed: number
  time_ms: number
}

export interface TopLogprob {
  token: string
  logprob: number
  bytes?: number[] | null
  id?: number
}

export interface TokenLogprob extends TopLogprob {
  top_logprobs?: TopLogprob[]
}

export interface ToolCallDelta {
  index: number
  id?: string
  function?: { name?: string; arguments?: string }
}

export interface ChatChunk {
  model?: string
  choices?: {
    delta?: {
      content?: string | null
      reasoning_content?: string | null
      tool_calls?: ToolCallDelta[]
    }
    finish_reason?: string | null
    logprobs?: { content?: TokenLogprob[] | null } | null
  }[]
  timings?: Timings
  prompt_progress?: PromptProgress
  usage?: {
    prompt_tokens: number
    completion_tokens: number
    prompt_tokens_details?: { cached_tokens?: number }
  } | null
}

export interface CompletionChunk {
  content: string
  tokens?: number[]
  stop: boolean
  stop_type?: string
  timings?: Timings
  prompt_progress?: PromptProgress
  completion_probabilities?: TokenLogprob[]
}

export interface Props {
  default_generation_settings?: {
    n_ctx?: number
    params?: Record<string, unknown>
  }
  total_slots?: number
  model_path?: string
  model_alias?: string
  build_info?: string
  endpoint_metrics?: boolean
  modalities?: { vision?: boolean; audio?: boolean }
}

export interface Model {
  id: string
  meta?: { n_params?: number; size?: number; n_ctx_train?: number } | null
  // Only servers of several models have it.
  status?: { value: string; progress?: number }
}

export interface Slot {
  id: number
  is_processing: boolean
  n_ctx?: number
  n_prompt_tokens?: number
  n_prompt_tokens_processed?: number
  next_token?: { n_decoded?: number }[] | { n_decoded?: number }
}

export interface Percentiles {
  count: number
  p50: number | null
  p95: number | null
  p99: number | null
}

export type Window = '1m' | '5m' | '15m'
export type Measure = 'ttft' | 'inter_token' | 'queue' | 'e2e'

export interface Stats {
  model?: string
  uptime_seconds?: number
  tokens_per_second: { prompt: number; generated: number }
  totals?: {
    prompt_tokens: number
    cached_tokens: number
    generated_tokens: number
    requests?: Record<string, number>
  }
  queue: { running: number; waiting: number; waiting_max?: number; sequences_max?: number }
  latency_seconds: Record<Measure, Record<Window, Percentiles>>
  kv?: {
    used_tokens: number
    total_tokens: number
    used_bytes?: number
    total_bytes?: number
    prefix_tokens?: number
  }
  memory_bytes: {
    persistent?: number
    active?: number
    scratch?: number
    resident?: number | null
    limit?: number | null
  }
}

export interface TokenPiece {
  id: number
  piece: string | number[] // bytes when they are no UTF-8 by themselves
}
