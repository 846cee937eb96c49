// What can be measured of the looks: nothing sticks out, text can be read, fingers find the
// buttons, readers the names.
import assert from 'node:assert/strict'
import { desktop, openSettings, pageTest, phone, say } from './support.mjs'

const tablet = { name: 'tablet', viewport: { width: 820, height: 1180 }, hasTouch: true }
const tiny = { ...phone, name: 'small phone', viewport: { width: 320, height: 568 } }

async function everyView(page, check) {
  await say(page, 'a tour please')
  await check('chat')
  await openSettings(page)
  await check('settings')
  await page.click('button[aria-label="Close the settings"]')
  for (const view of ['Prompt', 'Dashboard']) {
    await page.click(`button[role=tab][aria-label=${view}]`)
    await page.waitForTimeout(300)
    await check(view)
  }
}

pageTest(
  'nothing is wider than the window',
  (page) =>
    everyView(page, async (view) => {
      const [inner, outer] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        innerWidth,
      ])
      assert.ok(inner <= outer, `${view}: ${inner} of ${outer} pixels`)
      const wide = await page.evaluate(() => {
        const box = document.querySelector('.thread > .scroll, .view')
        return box.scrollWidth - box.clientWidth
      })
      assert.equal(wide, 0, view)
    }),
  { sizes: [desktop, tablet, phone, tiny] },
)

pageTest(
  'every button and field has a name for screen readers',
  (page) =>
    everyView(page, async (view) => {
      const session = await page.context().newCDPSession(page)
      const { nodes } = await session.send('Accessibility.getFullAXTree')
      const roles = new Set([
        'button',
        'textbox',
        'searchbox',
        'combobox',
        'spinbutton',
        'checkbox',
        'tab',
        'meter',
        'link',
      ])
      const nameless = nodes.filter(
        (node) => !node.ignored && roles.has(node.role?.value) && !node.name?.value?.trim(),
      )
      assert.deepEqual(
        nameless.map((node) => node.role.value),
        [],
        view,
      )
    }),
  { sizes: [desktop, phone] },
)

// WCAG's relative luminance and contrast, of the colours as the browser resolves them.
function contrasts() {
  const probe = document.body.appendChild(document.createElement('i'))
  const luminance = (name) => {
    probe.style.color = `var(--${name})`
    const channels = getComputedStyle(probe)
      .color.match(/\d+/g)
      .slice(0, 3)
      .map((value) => value / 255)
    const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const pairs = ['text', 'muted', 'accent', 'bad'].flatMap((front) =>
    ['page', 'side', 'card'].map((back) => [front, back]),
  )
  pairs.push(['on-accent', 'accent'], ['text', 'soft'], ['muted', 'soft'])
  return pairs.map(([front, back]) => {
    const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b)
    return [`${front} on ${back}`, (high + 0.05) / (low + 0.05)]
  })
}

for (const colorScheme of ['light', 'dark'])
  pageTest(
    `text stands out from its ground in ${colorScheme} colours`,
    async (page) => {
      for (const [pair, contrast] of await page.evaluate(contrasts))
        assert.ok(contrast >= 4.5, `${pair}: ${contrast.toFixed(2)}`)
    },
    { colorScheme },
  )

pageTest('the colours follow the system, or what the reader chose', async (page) => {
  const dark = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(23, 22, 20)')
  assert.equal(await dark(), false)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.equal(await dark(), true)
  await page.click('button[aria-label^=Colours]')
  assert.equal(await dark(), false)
  await page.reload()
  assert.equal(await dark(), false)
})

pageTest(
  'on a phone buttons are large enough for fingers, and drawers close by a touch beside them',
  async (page) => {
    await say(page, 'hello')
    const small = await page
      .locator('.middle button:visible')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => button.getBoundingClientRect().height < 30)
          .map((button) => button.getAttribute('aria-label') ?? button.innerText),
      )
    assert.deepEqual(small, [])
    await page.click('button[aria-label=Conversations]')
    await page.waitForSelector('.sidebar:not([inert])')
    await page.mouse.click(370, 400)
    await page.waitForSelector('.sidebar[inert]', { state: 'attached' })
  },
  { sizes: [phone] },
)
