import { expect, test } from '@playwright/test'

test('a job is done after a while', async ({ request }) => {
  const headers = { Authorization: 'Bearer waits-by-poll' }
  await expect
    .poll(async () => (await (await request.get(`${process.env.SITE}/shop/job`, { headers })).json()).state, {
      intervals: [10],
    })
    .toBe('done')
})
test('so is another', async ({ request }) => {
  const headers = { Authorization: 'Bearer waits-by-pass' }
  await expect(async () => {
    const job = await (await request.get(`${process.env.SITE}/shop/job`, { headers })).json()
    expect(job).toEqual({ state: 'done' })
  }).toPass({ intervals: [10] })
})
