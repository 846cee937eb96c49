// Every test in one process, so that one browser serves them all: node --test test/all.mjs
import './tree.test.mjs'
import './chat.test.mjs'
import './store.test.mjs'
import './safety.test.mjs'
import './views.test.mjs'
import './looks.test.mjs'
