// Conversations: answers as they come, branches, files, thinking, tools.
import assert from 'node:assert/strict'
import {
  chats,
  desktop,
  dropFile,
  idle,
  lastAnswer,
  openSettings,
  pageTest,
  pasteInto,
  phone,
  say,
  send,
} from './support.mjs'

pageTest(
  'an answer comes in pieces; its code, formulas and table are drawn',
  async (page, server) => {
    const release = server.holdAfter(20)
    await send(page, 'a tour please')
    await page.waitForSelector('.turn.assistant h4')
    assert.ok(
      await page.isVisible('button[aria-label=Stop]'),
      'still writing when the heading is there',
    )
    release()
    await idle(page)
    const answer = lastAnswer(page)
    assert.equal(await answer.locator('.code .hljs-keyword').first().textContent(), 'def')
    assert.equal(await answer.locator('.katex').count(), 2)
    assert.equal(await answer.locator('.math.display .sqrt').count(), 1)
    assert.deepEqual(await answer.locator('tbody tr').allInnerTexts(), [
      'small\t182.4\t96 MiB',
      'large\t41.7\t1.2 GiB',
    ])
    assert.equal(await answer.locator('ol ul li').count(), 2)
    assert.match(await answer.locator('blockquote').innerText(), /\$5 and not \$6/)
    assert.match(
      await answer.locator('.figures').innerText(),
      /\d+ tokens · .* tokens\/s · first after/,
    )
    assert.match(await page.locator('.meter').innerText(), /\d+ \/ 4,096/)
    assert.equal(server.requests.at(-1).body.stream, true)
  },
  { sizes: [desktop, phone] },
)

pageTest('code is copied as it was written', async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await say(page, 'a tour please')
  await page.click('.code button[aria-label="Copy code"]')
  await page.waitForSelector('.code button[aria-label=Copied]')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(copied, /^def fib\(n: int\) -> int:\n {4}"""The n-th/)
})

pageTest(
  'stopping ends the request and keeps what came',
  async (page, server) => {
    const release = server.holdAfter(30)
    await send(page, 'a long one')
    await page.waitForFunction(() =>
      document.querySelector('.turn.assistant')?.innerText.includes('word20'),
    )
    await page.click('button[aria-label=Stop]')
    await idle(page)
    assert.match(await lastAnswer(page).innerText(), /word20[\s\S]*Stopped\./)
    release()
    await page.waitForTimeout(100)
    assert.equal(server.cancelled, 1)
  },
  { sizes: [desktop, phone] },
)

pageTest(
  'answering again keeps the first answer as a branch, also after a reload',
  async (page, server) => {
    await say(page, 'hello there')
    await lastAnswer(page).locator('button[aria-label="Answer again"]').click()
    await idle(page)
    assert.equal(await page.locator('.turn.assistant').count(), 1)
    assert.equal(await page.locator('.turn.assistant .branches span').innerText(), '2/2')
    assert.deepEqual(chats(server)[0].messages, chats(server)[1].messages)
    await page.reload()
    await page.click('.turn.assistant button[aria-label="Earlier version"]')
    await page.waitForSelector('.turn.assistant [aria-label="Version 1 of 2"]')
  },
)

pageTest('editing a message opens a branch beside the old one', async (page, server) => {
  await say(page, 'one')
  await say(page, 'two')
  await page.locator('.turn.user').first().hover()
  await page.locator('.turn.user button[aria-label=Edit]').first().click()
  await page.fill('.editor textarea', 'another')
  await page.keyboard.press('Enter')
  await idle(page)
  assert.equal(await page.locator('.turn.user').count(), 1)
  assert.equal(await page.locator('.bubble').innerText(), 'another')
  assert.deepEqual(chats(server).at(-1).messages, [{ role: 'user', content: 'another' }])
  await page.click('.turn.user button[aria-label="Earlier version"]')
  assert.deepEqual(await page.locator('.bubble').allInnerTexts(), ['one', 'two'])
})

pageTest('continuing lets the same answer grow', async (page, server) => {
  await say(page, 'hello there')
  await lastAnswer(page).locator('button[aria-label="Continue this answer"]').click()
  await idle(page)
  assert.deepEqual(chats(server).at(-1).messages.at(-1), {
    role: 'assistant',
    content: 'You said: hello there',
  })
  assert.equal(
    await lastAnswer(page).locator('.markdown').innerText(),
    'You said: hello there And it goes on.',
  )
})

pageTest('deleting a message asks first, and takes what follows along', async (page) => {
  await say(page, 'one')
  await say(page, 'two')
  await page.locator('.turn.user').last().hover()
  await page.locator('.turn.user button[aria-label=Delete]').last().click()
  await page.click('dialog >> text=Cancel')
  assert.equal(await page.locator('.turn').count(), 4)
  await page.locator('.turn.user button[aria-label=Delete]').last().click()
  await page.click('dialog button.danger')
  assert.equal(await page.locator('.turn').count(), 2)
})

pageTest('thinking is folded, with its time', async (page) => {
  await say(page, 'think about it')
  const thinking = lastAnswer(page).locator('details.thinking')
  assert.match(await thinking.locator('summary').innerText(), /^Thought for [\d.]+ m?s$/)
  assert.equal(await thinking.locator('strong').isVisible(), false)
  await thinking.locator('summary').click()
  assert.equal(await thinking.locator('strong').innerText(), 'So')
})

pageTest('a tool call is shown, and what the tool returned goes back', async (page, server) => {
  await openSettings(page)
  await page.click('summary:has-text("Tools")')
  await page.fill(
    '.panel textarea >> nth=2',
    '[{"type":"function","function":{"name":"get_weather"}}]',
  )
  await say(page, 'the weather?')
  assert.equal(await page.locator('.call h3').innerText(), 'get_weather')
  assert.match(await page.locator('.call pre').innerText(), /^\{\n {2}"city": "Oslo",/)
  await page.fill('.tool-answer textarea', '7 degrees')
  await page.click('.tool-answer button')
  await idle(page)
  const { messages, tools } = chats(server).at(-1)
  assert.equal(tools[0].function.name, 'get_weather')
  assert.deepEqual(messages.at(-1), { role: 'tool', tool_call_id: 'call_0', content: '7 degrees' })
  assert.equal(messages.at(-2).tool_calls[0].function.arguments, '{"city":"Oslo","unit":"celsius"}')
  assert.match(await lastAnswer(page).innerText(), /The tool said: 7 degrees/)
})

pageTest('a long paste becomes a file; files go along as text', async (page, server) => {
  const long = 'x'.repeat(2500)
  await pasteInto(page, '#composer', long)
  await dropFile(page, 'notes.md', 'text/markdown', '# Notes\n```\ncode\n```')
  await dropFile(page, 'notes.md', 'text/markdown', 'second')
  await page.waitForSelector('.composer .files li:nth-child(3)')
  assert.deepEqual(await page.locator('.composer .files .name').allInnerTexts(), [
    'pasted.txt',
    'notes.md',
    'notes-2.md',
  ])
  await page.click('button[aria-label="Remove notes-2.md"]')
  await say(page, 'read these')
  const { content } = chats(server)[0].messages[0]
  assert.equal(
    content,
    `File "pasted.txt":\n\`\`\`\n${long}\n\`\`\`\n\n` +
      'File "notes.md":\n````\n# Notes\n```\ncode\n```\n````\n\nread these',
  )
  assert.equal(await page.locator('.turn.user .files li').count(), 2)
})

pageTest('a short paste stays text; pictures and bytes are refused with a reason', async (page) => {
  await pasteInto(page, '#composer', 'short')
  assert.equal(await page.locator('.composer .files').count(), 0)
  await dropFile(page, 'cat.png', 'image/png', 'not really')
  await page.waitForSelector('.notice:has-text("cat.png: this model reads text, not image.")')
  await dropFile(page, 'data.bin', '', 'a\0b')
  await page.waitForSelector('.notice:has-text("data.bin: no text file.")')
})

pageTest(
  'a failure in mid-answer is shown beside what came, and can be tried again',
  async (page) => {
    await say(page, 'now fail')
    assert.match(await lastAnswer(page).innerText(), /This begins well/)
    assert.equal(
      await lastAnswer(page).locator('[role=alert]').innerText(),
      'the backend has lost its head',
    )
    await lastAnswer(page).locator('button[aria-label="Answer again"]').click()
    await idle(page)
    assert.equal(await page.locator('.branches span').innerText(), '2/2')
  },
)

pageTest('reading a long prompt shows how far it is', async (page) => {
  await send(page, 'be slow')
  await page.waitForSelector('.reading:has-text("% of 2 tokens") [aria-valuenow="66.7"]')
  await idle(page)
  assert.match(await lastAnswer(page).innerText(), /One step at a time/)
})

pageTest('an answer goes on while another conversation is on show', async (page, server) => {
  const release = server.holdAfter(10)
  await send(page, 'a long one')
  await page.waitForSelector('.turn.assistant:has-text("word5")')
  await page.click('.sidebar .new')
  await say(page, 'meanwhile')
  assert.match(await lastAnswer(page).innerText(), /You said: meanwhile/)
  release()
  await page.click('.list .title:has-text("a long one")')
  await page.waitForSelector('.turn.assistant:has-text("word399")')
})

pageTest('the view follows a growing answer until the reader scrolls up', async (page, server) => {
  const release = server.holdAfter(300)
  await send(page, 'a long one')
  const scroll = page.locator('.thread > .scroll')
  const gap = () => scroll.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
  await page.waitForSelector('.turn.assistant:has-text("word200")')
  assert.ok((await gap()) < 80, 'at the end while it grows')
  await scroll.hover()
  await page.mouse.wheel(0, -300)
  await page.waitForSelector('.to-end')
  release()
  await idle(page)
  assert.ok((await gap()) > 80, 'stays where the reader went')
  await page.click('.to-end')
  assert.ok((await gap()) < 80)
})
