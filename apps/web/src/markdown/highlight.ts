// Code to coloured pieces. highlight.js answers with spans and escaped text only, which is read
// back here.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { decodeEntities } from './parse'

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

export type Piece = string | { scope: string; pieces: Piece[] }

const CHARACTERS_MAX = 60_000 // beyond, colours are not worth the wait

export function highlight(code: string, language: string): Piece[] {
  if (code.length > CHARACTERS_MAX || !hljs.getLanguage(language)) return [code]
  return readSpans(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}

function readSpans(html: string): Piece[] {
  const root: Piece[] = []
  const open = [root]
  for (const part of html.split(/(<span class="[^"]*">|<\/span>)/)) {
    if (part.startsWith('<span')) {
      const pieces: Piece[] = []
      open.at(-1)!.push({ scope: part.slice(13, -2), pieces })
      open.push(pieces)
    } else if (part === '</span>') {
      open.pop()
    } else if (part) {
      open.at(-1)!.push(decodeEntities(part))
    }
  }
  return root
}
