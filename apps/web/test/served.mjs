// The page from `ingle serve` itself, with a tiny model: INGLE=.../ingle MODEL=....gguf node --test test/served.mjs
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { idle, lastAnswer, openSettings, pageTest, say, send } from './support.mjs'

const { INGLE, MODEL } = process.env

async function freePort() {
  const probe = createServer()
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function start() {
  const port = await freePort()
  const words = [
    'serve',
    '-m',
    MODEL,
    '--port',
    String(port),
    '--metrics',
    '-np',
    '2',
    '--temp',
    '0',
  ]
  const child = spawn(INGLE, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => child.on('exit', resolve))
  const address = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`${address}health`).catch(() => null)
    if (answer?.ok) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const close = async () => {
    child.kill('SIGTERM')
    assert.equal(await ended, 0, 'the server ends well')
  }
  return { address, close }
}

const options = { start }
const limited = async (page) => {
  await openSettings(page)
  await page.getByLabel('Answer limit', { exact: true }).fill('40')
}

pageTest(
  'the server sends the page with its policy',
  async (page, server) => {
    const response = await fetch(server.address)
    const read = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8')
    assert.equal(response.headers.get('content-security-policy'), read('csp.txt').trim())
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(await response.text(), read('index.html'))
  },
  options,
)

pageTest(
  'a model answers, with figures, is stopped, and answers again',
  async (page) => {
    await limited(page)
    await say(page, 'Once upon a time')
    assert.match(await lastAnswer(page).locator('.markdown').innerText(), /\w+ \w+/)
    assert.match(
      await lastAnswer(page).locator('.figures').innerText(),
      /\d+ tokens · .* tokens\/s/,
    )
    assert.match(await page.locator('.meter').innerText(), /^[1-9]\d* \/ [\d,]+$/)
    const first = await lastAnswer(page).locator('.markdown').innerText()
    await lastAnswer(page).locator('button[aria-label="Answer again"]').click()
    await idle(page)
    assert.equal(await lastAnswer(page).locator('.markdown').innerText(), first, 'greedy')
    await page.getByLabel('Answer limit', { exact: true }).fill('')
    await send(page, 'A long story')
    await page.waitForSelector('.turn.assistant:last-child .markdown p')
    await page.keyboard.press('Escape')
    await idle(page)
  },
  options,
)

pageTest(
  'an answer keeps to a JSON schema',
  async (page) => {
    await limited(page)
    await page
      .getByLabel('JSON schema')
      .fill(
        '{"type":"object","properties":{"fire":{"type":"boolean"}},"required":["fire"],"additionalProperties":false}',
      )
    await say(page, 'Is there a fire?')
    const { fire } = JSON.parse(await lastAnswer(page).locator('.markdown').innerText())
    assert.equal(typeof fire, 'boolean')
  },
  options,
)

pageTest(
  'probabilities, the raw prompt, its tokens and a continuation come from the server',
  async (page) => {
    await limited(page)
    await page.getByLabel('Keep the probabilities of tokens').check()
    await say(page, 'Once upon a time')
    await lastAnswer(page).locator('button[aria-label="Tokens and probabilities"]').click()
    await lastAnswer(page).locator('.tokens .token').nth(2).click()
    assert.ok((await lastAnswer(page).locator('.alternatives tbody tr').count()) >= 5)
    await page.click('button[role=tab][aria-label=Prompt]')
    await page.click('text=From the conversation')
    await page.waitForFunction(() =>
      document.querySelector('.raw').value.includes('Once upon a time'),
    )
    await page.fill('.raw', 'Once upon a time')
    await page.click('text=Show tokens')
    await page.waitForSelector('.tokens.plain .token >> nth=3')
    await page.click('text=Continue the text')
    await page.waitForSelector('text=Add to the prompt')
    assert.ok((await page.locator('.token-view .token').count()) >= 40)
  },
  options,
)

pageTest(
  'the dashboard shows what the server has done',
  async (page) => {
    await limited(page)
    await say(page, 'Once upon a time')
    await page.click('button[role=tab][aria-label=Dashboard]')
    await page.waitForSelector('.tile:has-text("Written so far")')
    const written = await page.locator('.tile:has-text("Written so far") dd').first().innerText()
    assert.equal(written, '40')
    assert.match(await page.locator('[aria-label=Latency] tbody tr').first().innerText(), /\d m?s/)
    assert.equal(await page.locator('.slots li').count(), 2)
  },
  options,
)
