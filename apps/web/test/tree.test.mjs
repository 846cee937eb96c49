// The plain parts of the page, without a browser.
import assert from 'node:assert/strict'
import { webcrypto } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

globalThis.document ??= { baseURI: 'http://here/' }
globalThis.crypto ??= webcrypto // Node 18 keeps it in a module

async function load(name) {
  const entry = fileURLToPath(new URL(`../src/${name}`, import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    write: false,
  })
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  )
}

const tree = await load('state/tree.ts')
const { readEvents } = await load('api/sse.ts')
const { parse, safeAddress, decodeEntities } = await load('markdown/parse.ts')

const turn = (id, parent, created = 0) => ({ id, parent, created, role: 'user', content: id })

function grown(...turns) {
  return turns.reduce(
    (conversation, one) => tree.withTurn(conversation, one),
    tree.newConversation(),
  )
}

test('a branch runs from the beginning to the head', () => {
  const conversation = grown(turn('a', null), turn('b', 'a'), turn('c', 'a'))
  assert.deepEqual(
    tree.branch(conversation).map((one) => one.id),
    ['a', 'c'],
  )
})

test('choosing a rival shows its newest continuation', () => {
  const conversation = grown(
    turn('a', null, 1),
    turn('b', 'a', 2),
    turn('c', 'b', 3),
    turn('d', 'b', 4),
    turn('e', null, 5),
  )
  assert.equal(tree.newestLeaf(conversation, 'a'), 'd')
  assert.deepEqual(
    tree.siblings(conversation, conversation.turns.a).map((one) => one.id),
    ['a', 'e'],
  )
})

test('deleting a turn takes its descendants along and shows a rival, else its parent', () => {
  const conversation = grown(
    turn('a', null, 1),
    turn('b', 'a', 2),
    turn('c', 'b', 3),
    turn('d', 'a', 4),
    turn('e', 'd', 5),
  )
  const less = tree.withoutTurn(conversation, 'd')
  assert.deepEqual(Object.keys(less.turns), ['a', 'b', 'c'])
  assert.equal(less.head, 'c')
  assert.equal(tree.withoutTurn(less, 'b').head, 'a')
})

test('a circle of turns, as a damaged file may hold it, ends', () => {
  const circle = {
    ...tree.newConversation(),
    head: 'a',
    turns: { a: turn('a', 'b'), b: turn('b', 'a') },
  }
  assert.equal(tree.branch(circle).length, 2)
  assert.ok(tree.newestLeaf(circle, 'a'))
})

const events = async (...pieces) => {
  const bytes = pieces.map((piece) =>
    typeof piece === 'string' ? new TextEncoder().encode(piece) : piece,
  )
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of bytes) controller.enqueue(piece)
      controller.close()
    },
  })
  const found = []
  for await (const event of readEvents(stream)) found.push(event)
  return found
}

test('events are read however they are cut, with any line ends and between comments', async () => {
  const text = ': ping\r\n\r\ndata: {"a":"é"}\r\n\r\ndata:1\ndata: 2\n\n: more\n\ndata: [DONE]\n\n'
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size <= bytes.length; size++) {
    const pieces = []
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size))
    assert.deepEqual(await events(...pieces), ['{"a":"é"}', '1\n2', '[DONE]'], `pieces of ${size}`)
  }
})

test('an event cut off by the end of the stream is none', async () => {
  assert.deepEqual(await events('data: 1\n\ndata: {"half'), ['1'])
})

const types = (text) => parse(text)[0].tokens.map((token) => `${token.type}:${token.text}`)

test('dollars around a formula make it one, dollars before money do not', () => {
  assert.deepEqual(types('so $x^2$ is'), ['text:so ', 'math:x^2', 'text: is'])
  assert.deepEqual(types('from $5 to $6'), ['text:from $5 to $6'])
  assert.deepEqual(types('a \\(b\\) c'), ['text:a ', 'math:b', 'text: c'])
  assert.equal(parse('$$\na\n$$')[0].type, 'math')
  assert.equal(parse('\\[\na\n\\]')[0].type, 'math')
})

test('only web and mail addresses are links', () => {
  assert.equal(safeAddress('https://a.example/b'), 'https://a.example/b')
  assert.equal(safeAddress('mailto:a@b.example'), 'mailto:a@b.example')
  for (const href of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'relative',
    '//x',
    'vbscript:x',
  ])
    assert.ok(href === '//x' || safeAddress(href) === null, href)
})

test('entities are the characters they name', () => {
  assert.equal(
    decodeEntities('&lt;b&gt; &amp; &#233; &#x20AC; &nosuch; &#9999999;'),
    '<b> & é € &nosuch; &#9999999;',
  )
})
