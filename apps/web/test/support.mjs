// One browser for all tests, a fresh page and server for each. Whatever the page logs as an error
// fails the test, and the browser logs every breach of the page's policy.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { startServer } from './mock-server.mjs'

export const desktop = { name: 'desktop', viewport: { width: 1280, height: 800 } }
export const phone = {
  name: 'phone',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
}

const CHROMIUM = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path) => path && existsSync(path),
)
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu'],
})
after(() => browser.close())

export async function openPage(server, options = desktop) {
  const { name: _, ...settings } = options
  const context = await browser.newContext({ acceptDownloads: true, ...settings })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    // A refused request is an error to the browser's log; whether the page copes is what tests ask.
    const refused = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refused) faults.push(message.text())
  })
  page.on('request', (request) => {
    const own = request.url().startsWith(server.address) || /^(data|blob):/.test(request.url())
    if (!own) faults.push(`asked elsewhere: ${request.url()}`)
  })
  await page.goto(server.address)
  await page.waitForSelector('.app')
  return { page, faults, close: () => context.close() }
}

// A test of the page at a size, or at each of several.
export function pageTest(
  name,
  body,
  { sizes = [desktop], server: settings = {}, start = startServer, provoked, ...options } = {},
) {
  for (const size of sizes)
    test(`${name} (${size.name})`, { timeout: 180_000 }, async () => {
      const server = await start(settings)
      const { page, faults, close } = await openPage(server, { ...size, ...options })
      try {
        await body(page, server)
        assert.deepEqual(
          faults.filter((fault) => !provoked?.test(fault)),
          [],
        )
      } finally {
        await close()
        await server.close()
      }
    })
}

export async function send(page, text) {
  await page.fill('#composer', text)
  await page.click('button[aria-label=Send]')
}

export const idle = (page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('button[aria-label=Stop]') &&
      !document.querySelector('[aria-busy=true]'),
  )

export async function say(page, text) {
  await send(page, text)
  await idle(page)
}

export const chats = (server) =>
  server.requests
    .filter(({ route }) => route === 'POST /v1/chat/completions')
    .map(({ body }) => body)

export const lastAnswer = (page) => page.locator('.turn.assistant').last()

export async function openSettings(page) {
  await page.click('button[aria-label=Settings]')
  await page.waitForSelector('.panel:not([inert])')
}

export async function pasteInto(page, selector, text) {
  await page.locator(selector).evaluate((element, text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, text)
}

export async function dropFile(page, name, type, text) {
  await page.evaluate(
    ([name, type, text]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([text], name, { type }))
      for (const event of ['dragover', 'drop'])
        document.body.dispatchEvent(
          new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }),
        )
    },
    [name, type, text],
  )
}
