// What a model, a user or a foreign page must not be able to do.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lastAnswer, openSettings, pageTest, say } from './support.mjs'

const read = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url), 'utf8')

test('the policy allows the script and the style of the page by their hashes, and nothing unsafe', () => {
  const page = read('index.html')
  const policy = read('csp.txt').trim()
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page)
  const [, script] = /<script type="module">([\s\S]*?)<\/script>/.exec(page)
  const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  assert.ok(policy.includes(`script-src ${hash(script)};`))
  assert.ok(policy.includes(`style-src ${hash(style)};`))
  assert.ok(policy.startsWith("default-src 'none';"))
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
})

test('the page names no other file and no other place to load from', () => {
  const page = read('index.html')
  const markup = page.replace(/<script type="module">[\s\S]*<\/script>/, '')
  const loaded = [...markup.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
  assert.deepEqual(
    loaded.filter((address) => !address.startsWith('data:')),
    [],
  )
  assert.doesNotMatch(markup, /@import|url\((?!data:)/)
})

pageTest('HTML in an answer stays text, and nothing in it runs or loads', async (page) => {
  await say(page, 'be evil')
  const answer = lastAnswer(page)
  assert.match(await answer.innerText(), /<img src=x onerror/)
  const made = await answer
    .locator('.markdown :is(img, script, iframe, style, svg, object)')
    .count()
  assert.equal(made, 0)
  const links = await answer.locator('a').evaluateAll((all) => all.map((link) => link.href))
  assert.deepEqual(links, ['https://evil.example/?q=secret'])
  assert.equal(await page.evaluate(() => window.pwned), undefined)
})

pageTest('HTML in a message, a title and a file name stays text', async (page) => {
  const html = '<img src=x onerror="window.pwned=1">'
  await say(page, html)
  assert.equal(await page.locator('.bubble').innerText(), html)
  assert.equal(await page.locator('.list .title').innerText(), html)
  assert.equal(await page.evaluate(() => window.pwned), undefined)
})

pageTest(
  'a script put into the page from outside does not run',
  async (page) => {
    const blocked = await page
      .evaluate(() => {
        try {
          document.body.insertAdjacentHTML('beforeend', '<b onclick="1">x</b>')
          return 'let through'
        } catch (error) {
          return error.name
        }
      })
      .catch((error) => error.message)
    assert.match(blocked, /TypeError/)
    // The browser logs this breach; it is the one that was provoked.
  },
  { provoked: /TrustedHTML/ },
)

pageTest(
  'a key is asked for, goes with every request, and is stored nowhere',
  async (page, server) => {
    await page.waitForSelector('.banner:has-text("wants an API key")')
    await page.click('.banner button')
    await page.fill('#api-key', 'sesame')
    await page.keyboard.press('Tab')
    await page.waitForSelector('.banner', { state: 'detached' })
    await say(page, 'hello')
    assert.match(await lastAnswer(page).innerText(), /You said: hello/)
    assert.equal(server.requests.at(-1).headers.authorization, 'Bearer sesame')
    const stored = await page.evaluate(async () => {
      const database = await new Promise((resolve) => {
        indexedDB.open('ingle').onsuccess = (event) => resolve(event.target.result)
      })
      const all = await new Promise((resolve) => {
        const request = database.transaction('conversations').objectStore('conversations').getAll()
        request.onsuccess = () => resolve(request.result)
      })
      return JSON.stringify([all, { ...localStorage }, { ...sessionStorage }, document.cookie])
    })
    assert.match(stored, /hello/)
    assert.doesNotMatch(stored, /sesame/)
    await page.reload()
    await page.waitForSelector('.banner:has-text("wants an API key")')
  },
  { server: { key: 'sesame' } },
)

pageTest('while the model loads the page says so, and goes on by itself', async (page, server) => {
  server.loading = true
  await page.reload()
  await page.waitForSelector('.banner:has-text("Loading model")')
  server.loading = false
  await page.waitForSelector('.banner', { state: 'detached' })
  await openSettings(page)
  assert.equal(
    await page.getByLabel('Temperature', { exact: true }).getAttribute('placeholder'),
    '0.8',
  )
})

pageTest('a server that is gone is reported, and what was typed is kept', async (page, server) => {
  await server.close()
  await say(page, 'hello')
  await page.waitForSelector('.banner:has-text("does not answer")')
  assert.equal(await page.locator('.bubble').innerText(), 'hello')
  assert.match(await lastAnswer(page).locator('[role=alert]').innerText(), /does not answer/)
})
