import { render } from 'preact'
import './style'
import { App } from './app'
import { watchKeys } from './frame/shortcuts'
import { begin } from './state/conversations'
import { watchServer } from './state/server'

render(<App />, document.getElementById('page')!)
watchServer()
watchKeys()
void begin()
