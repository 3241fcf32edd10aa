/** Scripts around the requests of API checks. Needs Chromium, at CHROMIUM_PATH if elsewhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSignedIn, send } from './browser.ts'
import { startTarget } from './target.ts'

test('scripts around a request', async (t) => {
  const target = await startTarget(t)
  const { page, vedette } = await openSignedIn(t, { env: { SCRIPT_ISOLATION: 'reduced' } })
  const settings = page.getByRole('region', { name: 'Settings', exact: true })
  const setting = (name: string) => settings.locator('div:has(> dt)').filter({ hasText: name })

  await t.test('a group is given a snippet and a script', async () => {
    await page.goto(`${vedette.url}/groups/new`)
    await page.getByText('Defaults of API checks').click()
    await page.getByText('There is none yet: pieces of script').first().waitFor()
    await send(vedette, '/v1/snippets', { name: 'greet', script: 'console.log("hello from the snippet")' })
    await page.reload()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await page.getByText('Defaults of API checks').click()
    await page.getByText('They run before those of each check.').waitFor()
    await page.getByLabel('Snippet before the request').selectOption('greet')
    await page.getByLabel('Script after the request').fill('console.warn("the group has the last word")')
    await page.getByRole('button', { name: 'Add the group' }).click()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    assert.match(await setting('Scripts').innerText(), /1 script before the request, 1 after it/)

    await page.getByRole('link', { name: 'Edit' }).click()
    assert.equal(
      await page.getByLabel('Script after the request').inputValue(),
      'console.warn("the group has the last word")',
    )
    assert.equal(await page.getByLabel('Snippet before the request').locator('option:checked').innerText(), 'greet')
  })

  await t.test('who passes through a script with Tab passes, who writes in it indents', async () => {
    await page.goto(`${vedette.url}/checks/new?url=${encodeURIComponent(target.url)}`)
    await page.getByText('More settings').click()
    const script = page.getByLabel('Script before the request')
    const isFocused = () => script.evaluate((area) => area === area.ownerDocument.activeElement)
    await page.getByLabel('Snippet before the request').focus()
    await page.keyboard.press('Tab')
    assert.ok(await isFocused())
    await page.keyboard.press('Tab')
    assert.ok(!(await isFocused()), 'nobody is trapped')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('if (request.url) {')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('console.error("one")')
    await page.keyboard.press('Enter')
    await page.keyboard.type('console.debug("two")')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('}')
    const written = 'if (request.url) {\n  console.error("one")\n  console.debug("two")\n}'
    assert.equal(await script.inputValue(), written)
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Tab')
    assert.equal(await script.inputValue(), written.replace(/^/gm, '  '))
    await page.keyboard.press('Control+Z')
    assert.equal(await script.inputValue(), written, 'it can be undone')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    assert.ok(!(await isFocused()), 'Escape lets go')
  })

  await t.test('the form of a check says what its group runs, and its page counts both', async () => {
    await page.getByText('They run before the request is sent.').waitFor()
    await page.getByLabel('Group', { exact: true }).selectOption('Shop')
    await page.getByText('It has a snippet, run before what stands here.').waitFor()
    await page.getByText('It has a script, run after what stands here.').waitFor()
    await page.getByRole('button', { name: 'Add the check' }).click()
    await settings.getByText('in the group Shop').waitFor()
    assert.match(await setting('Scripts').innerText(), /2 scripts before the request, 1 after it also group/)
  })

  await t.test('the result tells what the scripts said, in their order, with level and time', async () => {
    await page.getByRole('table', { name: 'Runs, newest first' }).getByRole('link').first().click()
    const log = page.getByRole('region', { name: 'Log of the scripts' })
    await log.getByText('1 error, 1 warning').waitFor()
    const lines = (
      await log.getByRole('list', { name: 'Log: Before the request' }).getByRole('listitem').allInnerTexts()
    ).map((line) => line.split(/\s*\n\s*/))
    assert.deepEqual(
      lines.map(([, level, said]) => [level, said]),
      [
        ['INFO', 'hello from the snippet'],
        ['ERROR', 'one'],
        ['DEBUG', 'two'],
      ],
    )
    for (const [time] of lines) assert.match(time ?? '', /^\d\d:\d\d:\d\d.\d{3}$/)
    await log.getByRole('list', { name: 'Log: After the request' }).getByText('the group has the last word').waitFor()
  })

  await t.test('a name in a template that no variable has is noted, and hinders nothing', async () => {
    await send(vedette, '/v1/variables', { key: 'SHOP_HOST', value: 'localhost' })
    await send(vedette, '/v2/check-groups', {
      name: 'Blog',
      environmentVariables: [{ key: 'BLOG_TOKEN', value: 'lantern' }],
    })
    await page.goto(`${vedette.url}/checks/new?kind=API`)
    const address = page.getByLabel('Address')
    const noteOf = async (text: string) => {
      await address.fill(text)
      const described = (await address.getAttribute('aria-describedby')) ?? ''
      const note = described.split(' ').find((id) => id.endsWith('-note'))
      return note === undefined ? null : page.locator(`[id="${note}"]`).innerText()
    }
    await address.fill('https://{{NO_SUCH}}/')
    await page.getByText('No variable is named NO_SUCH: it will be empty.').waitFor()
    assert.equal(await noteOf('https://{{SHOP_HOST}}/{{CHECK_ID}}/{{$UUID}}'), null)
    assert.equal(await noteOf('https://{{BLOG_TOKEN}}/'), 'No variable is named BLOG_TOKEN: it will be empty.')
    await page.getByText('More settings').click()
    await page.getByLabel('Group', { exact: true }).selectOption('Blog')
    await page.getByText('No variable is named BLOG_TOKEN').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('x-user')
    await page.getByLabel('Value of header 1').fill('{{A_USER}}')
    await page.getByText('No variable is named A_USER: it will be empty.').waitFor()
    await page.getByLabel('Script before the request').fill('console.log(process.env.A_USER)')
    await page.getByText('No variable is named A_USER: it will be empty unless a script sets it.').waitFor()
    await page.getByLabel('Script before the request').fill('process.env.A_USER = "ada"')
    await page.getByText('No variable is named A_USER').waitFor({ state: 'detached' })

    await address.fill(`${target.url}?nothing={{NO_SUCH}}`)
    await page.getByText('No variable is named NO_SUCH').waitFor()
    await page.getByRole('button', { name: 'Add the check' }).click()
    await settings.getByText('in the group Blog').waitFor()
  })
})
