// What is on show.
import { computed, signal } from '@preact/signals'

export type Tab = 'chat' | 'prompt' | 'dashboard'

export const narrow = signal(matchMedia('(max-width: 860px)').matches)
matchMedia('(max-width: 860px)').addEventListener('change', (event) => {
  narrow.value = event.matches
  sidebar.value = !event.matches
  panel.value = false
})

export const tab = signal<Tab>('chat')
export const sidebar = signal(!narrow.value)
export const panel = signal(false)
export const help = signal(false)
export const draftPrompt = signal('') // of the prompt view

// The one message at the bottom of the page; gone after a while.
export const notice = signal<{ text: string; bad: boolean } | null>(null)
let noticeTimer: ReturnType<typeof setTimeout> | undefined

export function tell(text: string, bad = false) {
  notice.value = { text, bad }
  clearTimeout(noticeTimer)
  noticeTimer = setTimeout(() => (notice.value = null), bad ? 8000 : 2500)
}

export const drawer = computed(() => narrow.value && (sidebar.value || panel.value))

export function closeDrawers() {
  if (!narrow.value) return
  sidebar.value = false
  panel.value = false
}

export function toggleSidebar() {
  if (narrow.value) panel.value = false
  sidebar.value = !sidebar.value
}

export function togglePanel() {
  if (narrow.value) sidebar.value = false
  panel.value = !panel.value
}
