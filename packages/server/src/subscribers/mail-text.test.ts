import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { layOutNews, layOutQuestion, type MailText } from './mail-text.ts'
import type { News } from './store.ts'

const LINKS = {
  page: 'https://status.lantern.test',
  verify: 'https://status.lantern.test/subscriptions/ss_1/verify',
  unsubscribe: 'https://status.lantern.test/subscriptions/ss_1/unsubscribe',
}

const someNews = (more: Partial<News> = {}): News => ({
  incidentId: '0a0c0e10-0000-8000-8000-000000000003',
  incident: 'Orders are delayed',
  severity: 'MAJOR',
  status: 'IDENTIFIED',
  description: 'A queue is full.\nWe empty it.',
  publicAt: new Date('2026-01-10T08:00:00.100Z'),
  services: ['Checkout', 'Search'],
  ...more,
})

test('news tell the page, the incident, how bad it is, what it touches and what is known', () => {
  const { subject, text } = layOutNews('Lantern', someNews(), LINKS)
  assert.equal(subject, 'Identified: Orders are delayed (Lantern)')
  assert.equal(
    text,
    `Lantern: Orders are delayed

Status: Identified
Severity: Major
Services: Checkout, Search
Time: 2026-01-10 08:00 UTC

A queue is full.
We empty it.

https://status.lantern.test/incidents/0a0c0e10-0000-8000-8000-000000000003

-- 
You get this because this address is subscribed to Lantern.
Unsubscribe: https://status.lantern.test/subscriptions/ss_1/unsubscribe
`,
  )
})

const tagsIn = ({ html }: MailText) => html.match(/<[a-z!/][^>]*>/gi)?.filter((tag) => tag !== '<br>') ?? []

test('whatever was written, subjects are one short line, markup is ours and every link is there', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 })
  const hostile = fc.oneof(
    text,
    fc.constantFrom('<img src=x>', '"><a href=//x>', '&lt;', 'a\r\nBcc: x', '\0\ud800\u202e'),
  )
  const plainNews = tagsIn(layOutNews('x', someNews({ services: ['x'] }), LINKS)).length
  const plainQuestion = tagsIn(layOutQuestion('x', LINKS)).length
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (page, incident, description, service) => {
      const news = layOutNews(page, someNews({ incident, description, services: [service] }), LINKS)
      const question = layOutQuestion(page, LINKS)
      assert.deepEqual([tagsIn(news).length, tagsIn(question).length], [plainNews, plainQuestion])
      for (const written of [news, question]) {
        assert.ok(written.subject.length <= 250 && !/[\r\n]/.test(written.subject))
        assert.doesNotMatch(written.text + written.html, /[\u202a-\u202e\u2066-\u2069]/)
        assert.ok(written.text.includes(LINKS.unsubscribe) && written.html.includes(LINKS.unsubscribe))
      }
      assert.ok(question.text.includes(LINKS.verify) && question.html.includes(LINKS.verify))
    }),
  )
})
