// Conversations in the browser: kept, found, named, moved to another browser.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desktop, openPage, pageTest, phone, say } from './support.mjs'

async function choose(page, title, item) {
  await page.locator('.list li', { hasText: title }).hover()
  await page.click(`button[aria-label="More for ${title}"]`)
  await page.click(`[role=menu] >> text=${item}`)
}

async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

const showList = (page) => page.click('button[aria-label=Conversations]')

pageTest(
  'conversations survive a reload and are opened from the list',
  async (page) => {
    const narrow = page.viewportSize().width < 860
    await say(page, 'first talk')
    if (narrow) await showList(page)
    await page.click('.sidebar .new')
    await say(page, 'second talk')
    await page.reload()
    assert.equal(await page.locator('.bubble').innerText(), 'second talk')
    if (narrow) await showList(page)
    await page.click('.list .title:has-text("first talk")')
    await page.waitForSelector('.bubble:has-text("first talk")')
    assert.match(await page.locator('.turn.assistant').innerText(), /You said: first talk/)
  },
  { sizes: [desktop, phone] },
)

pageTest('search finds words anywhere in a conversation', async (page) => {
  await say(page, 'about boats')
  await page.click('.sidebar .new')
  await say(page, 'a tour')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fibonacci number')
  await page.waitForFunction(() => document.querySelectorAll('.list li').length === 1)
  assert.equal(await page.locator('.list .title').innerText(), 'a tour')
  await page.fill('#search', 'zeppelin')
  await page.waitForSelector('.nothing:has-text("Nothing found.")')
})

pageTest('a conversation is renamed and keeps its name', async (page) => {
  await say(page, 'hello')
  await choose(page, 'hello', 'Rename')
  await page.fill('.rename', 'My talk')
  await page.keyboard.press('Enter')
  await say(page, 'more')
  await page.reload()
  assert.equal(await page.locator('.list .title').innerText(), 'My talk')
})

pageTest('deleting a conversation asks first', async (page) => {
  await say(page, 'hello')
  await choose(page, 'hello', 'Delete')
  await page.keyboard.press('Escape')
  await page.waitForSelector('dialog', { state: 'detached' })
  await choose(page, 'hello', 'Delete')
  await page.click('dialog button.danger')
  await page.waitForSelector('.nothing')
  assert.equal(await page.locator('.turn').count(), 0)
})

pageTest('an export holds every branch and opens in another browser', async (page, server) => {
  await say(page, 'hello')
  await page.click('button[aria-label="Answer again"]')
  await page.waitForSelector('.branches')
  const { name, text } = await saved(page, () => choose(page, 'hello', 'Export as JSON'))
  assert.equal(name, 'hello.json')
  assert.equal(Object.keys(JSON.parse(text).conversations[0].turns).length, 3)
  const file = join(tmpdir(), 'ingle-page-export.json')
  await writeFile(file, text)

  const other = await openPage(server)
  await other.page.setInputFiles('.sidebar input[type=file]', file)
  await other.page.click('.list .title:has-text("hello")')
  await other.page.waitForSelector('[aria-label="Version 2 of 2"]')
  await other.close()
})

pageTest('a conversation is exported as Markdown', async (page) => {
  await say(page, 'hello')
  const { name, text } = await saved(page, () => choose(page, 'hello', 'Export as Markdown'))
  assert.equal(name, 'hello.md')
  assert.equal(text, '# hello\n\n**user**\n\nhello\n\n**assistant**\n\nYou said: hello\n')
})

const broken = {
  'is no JSON': '{',
  'holds no conversations': '{"format":"other"}',
  'whose turn names a missing parent': JSON.stringify({
    format: 'ingle-conversations',
    version: 1,
    conversations: [
      {
        id: 'a',
        title: 'b',
        head: 'x',
        created: 0,
        updated: 0,
        named: false,
        turns: { x: { id: 'x', parent: 'gone', role: 'user', content: '', created: 0 } },
      },
    ],
  }),
}
for (const [fault, text] of Object.entries(broken))
  pageTest(`a file that ${fault} is refused`, async (page) => {
    const buffer = Buffer.from(text)
    await page.setInputFiles('.sidebar input[type=file]', {
      name: 'f.json',
      mimeType: 'application/json',
      buffer,
    })
    await page.waitForSelector('.notice.bad:has-text("f.json")')
    assert.equal(await page.locator('.list li').count(), 0)
  })
