// Builds the page as one file that needs nothing beside it, and the Content-Security-Policy that
// lets exactly its own script and style run.
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vite'

// Of KaTeX's 20 fonts those that ordinary formulas need: 125 KB instead of 300.
const MATH_FONTS = [
  'AMS-Regular',
  'Caligraphic-Regular',
  'Main-Bold',
  'Main-Italic',
  'Main-Regular',
  'Math-Italic',
  'Size1-Regular',
  'Size2-Regular',
  'Size3-Regular',
  'Size4-Regular',
]

function mathFonts() {
  return {
    name: 'math-fonts',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/katex.min.css')) return undefined
      const folder = id.slice(0, id.lastIndexOf('/'))
      return readFileSync(id, 'utf8').replace(/@font-face\{[^}]*\}/g, (rule) => {
        const font = /fonts\/KaTeX_([\w-]+)\.woff2/.exec(rule)[1]
        if (!MATH_FONTS.includes(font)) return ''
        const bytes = readFileSync(`${folder}/fonts/KaTeX_${font}.woff2`)
        const source = `src:url(data:font/woff2;base64,${bytes.toString('base64')}) format("woff2")`
        return rule.replace(/src:[^;}]*/, source)
      })
    },
  }
}

// The licences of what the script and the style contain, as they ask for.
const PARTS = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'marked',
  'highlight.js',
  'katex',
  'uplot',
]

function notices() {
  const texts = PARTS.map((name) => {
    const folder = new URL(`node_modules/${name}/`, import.meta.url)
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r', '').trim()
    return `${name}\n\n${text}`
  })
  const comment = ['This page contains, each under its licence:', ...texts].join('\n\n')
  return `<!--\n${comment.replace(/--+/g, '-')}\n-->`
}

function sha256(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function policy(script, style) {
  return (
    [
      "default-src 'none'",
      `script-src ${sha256(script)}`,
      `style-src ${sha256(style)}`,
      'font-src data:',
      'img-src data: blob:',
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ') + '\n'
  )
}

function singleFile() {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html']
      let script = ''
      let style = ''
      for (const [name, part] of Object.entries(bundle)) {
        if (name === 'index.html') continue
        if (part.type === 'chunk') script += part.code
        else if (name.endsWith('.css')) style += part.source
        else this.error(`${name}: expected only scripts and styles beside index.html`)
        delete bundle[name]
      }
      // The end tag of a script would end it wherever it stands, also within a string.
      script = script.trim().replaceAll('</script', '<\\/script')
      style = style.trim()
      const html = page.source
        .replace(/\s*<(script type="module"|link rel="stylesheet")[^>]*>(<\/script>)?/g, '')
        .replace('</head>', () => `<style>${style}</style>\n</head>`)
        .replace('</body>', () => `<script type="module">${script}</script>\n${notices()}\n</body>`)
      page.source = html.trim() + '\n'
      this.emitFile({ type: 'asset', fileName: 'csp.txt', source: policy(script, style) })
    },
  }
}

export default defineConfig({
  base: './',
  plugins: [mathFonts(), singleFile()],
  esbuild: { legalComments: 'none', charset: 'utf8' },
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
})
