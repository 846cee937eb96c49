// Markdown to tokens, with formulas: $...$, $$...$$, \(...\), \[...\]. Tokens become elements in
// render.tsx; no HTML is ever made from text, so there is nothing to sanitize.
import { Marked } from 'marked'
import type { Token, TokenizerExtension } from 'marked'

export interface MathToken {
  type: 'math'
  raw: string
  text: string
  display: boolean
}

function math(raw: string, text: string, display: boolean): MathToken {
  return { type: 'math', raw, text: text.trim(), display }
}

const blockMath: TokenizerExtension = {
  name: 'math',
  level: 'block',
  start: (source) => /(^|\n) {0,3}(\$\$|\\\[)/.exec(source)?.index,
  tokenizer(source) {
    const match = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\]) *(?:\n|$)/.exec(source)
    return match ? math(match[0], match[1] ?? match[2]!, true) : undefined
  },
}

// As Pandoc: no space inside the dollars, no digit after them, so that "$5 and $6" stays money.
const inlineMath: TokenizerExtension = {
  name: 'inlineMath',
  level: 'inline',
  start: (source) => /\$|\\[([]/.exec(source)?.index,
  tokenizer(source) {
    const match = /^\$\$([^$]+?)\$\$/.exec(source) ?? /^\\\[([\s\S]+?)\\\]/.exec(source)
    if (match) return math(match[0], match[1]!, true)
    const inline =
      /^\\\(([\s\S]+?)\\\)/.exec(source) ??
      /^\$(?!\s)((?:\\[\s\S]|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(source)
    return inline ? math(inline[0], inline[1]!, false) : undefined
  },
}

const marked = new Marked({ gfm: true, breaks: true })
marked.use({ extensions: [blockMath, inlineMath] })

export const parse = (text: string): Token[] => marked.lexer(text)

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  times: '×',
  rarr: '→',
  larr: '←',
  copy: '©',
  deg: '°',
  middot: '·',
  bull: '•',
  le: '≤',
  ge: '≥',
  ne: '≠',
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

// Only addresses that cannot run anything; null for others.
export function safeAddress(href: string): string | null {
  try {
    const url = new URL(href, 'https://relative.invalid/')
    const known = ['http:', 'https:', 'mailto:'].includes(url.protocol)
    return known && url.hostname !== 'relative.invalid' ? url.href : null
  } catch {
    return null
  }
}
