// The page: conversations at the left, the view in the middle, settings at the right.
import { Thread } from './chat/thread'
import { Dashboard } from './dashboard/dashboard'
import { Banner } from './frame/banner'
import { Shortcuts } from './frame/shortcuts'
import { Sidebar } from './frame/sidebar'
import { Topbar } from './frame/topbar'
import { Panel } from './panel/panel'
import { PromptView } from './prompt/prompt'
import { closeDrawers, drawer, narrow, notice, panel, sidebar, tab } from './state/view'
import { Questions } from './ui/dialog'

const views = { chat: Thread, prompt: PromptView, dashboard: Dashboard }

function Notice() {
  const { text, bad } = notice.value ?? { text: '', bad: false }
  return (
    <div class="notices" role="status">
      {text && (
        <p class={bad ? 'notice bad' : 'notice'} onClick={() => (notice.value = null)}>
          {text}
        </p>
      )}
    </div>
  )
}

export function App() {
  const View = views[tab.value]
  const layout = [
    'app',
    narrow.value && 'narrow',
    sidebar.value && 'with-sidebar',
    panel.value && 'with-panel',
  ]
  return (
    <div class={layout.filter(Boolean).join(' ')}>
      <Sidebar />
      <div class="middle" inert={drawer.value}>
        <Topbar />
        <Banner />
        <View />
      </div>
      <Panel />
      {drawer.value && <div class="veil" onClick={closeDrawers} />}
      <Notice />
      <Questions />
      <Shortcuts />
    </div>
  )
}
