/** A status page whose news go by mail to a server on loopback, and its readers. */
import { request as httpRequest } from 'node:http'
import type { TestContext } from 'node:test'
import { type BodyOf, routes } from '@vedette/schema'
import {
  type Answers,
  aMailer,
  type MailServer,
  type ReceivedMail,
  startMailServer,
} from '../mail/mail-server.fixture.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Sending, type SendingTimes, startSending } from '../subscribers/send.ts'
import { makeService } from './pages.ts'
import { startTestServer, type TestServer } from './test-server.ts'
import { until } from './until.ts'

export interface Reading {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface ReadOptions {
  method?: string
  form?: Record<string, string>
  headers?: Record<string, string>
}

/** As a browser asks; `fetch` does not let us say the host. */
export function read(server: TestServer, path: string, options: ReadOptions = {}): Promise<Reading> {
  const { form, method = form === undefined ? 'GET' : 'POST', headers = {} } = options
  const { promise, resolve, reject } = Promise.withResolvers<Reading>()
  const url = new URL(path, server.url)
  const formType = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const call = httpRequest(`${server.url}${url.pathname}${url.search}`, {
    method,
    headers: { accept: 'text/html', ...formType, ...headers },
  })
  call.on('error', reject)
  call.on('response', (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
    )
  })
  call.end(form === undefined ? undefined : new URLSearchParams(form).toString())
  return promise
}

export interface Scene {
  server: TestServer
  mails: MailServer
  pageId: string
  serviceId: string
  sending: Sending
  /** The mail that comes next, after those that were there before. */
  nextMail(): Promise<ReceivedMail>
  /** Everything that waits was sent. */
  allSent(): Promise<void>
  /** By the API, as people who have agreed already. */
  addReaders(...addresses: string[]): Promise<void>
  /** Opens an incident on the service. Answers its id. */
  openIncident(update?: Partial<BodyOf<typeof routes.createIncidentUpdate>>, serviceIds?: string[]): Promise<string>
}

export interface SceneOptions {
  answers?: Answers
  /** Instead of one that sends to the mail server of the scene. */
  mailer?: Mailer
  times?: Partial<SendingTimes>
  env?: Record<string, string>
  customDomain?: string
}

export async function aPageWithReaders(t: TestContext, options: SceneOptions = {}): Promise<Scene> {
  const mails = await startMailServer(t, options.answers)
  const mailer = options.mailer ?? aMailer(t, mails.port)
  const server = await startTestServer(t, { mailer, env: options.env ?? {} })
  const { db, secrets, call } = server
  const service = await makeService(server, 'Checkout')
  const cards = [{ name: 'Shop', services: [{ id: service.id }] }]
  const { customDomain = null } = options
  const page = await call(routes.createStatusPage, { body: { name: 'Lantern', url: 'lantern', cards, customDomain } })
  const { log } = server.recording
  const sending = startSending({
    db,
    secrets,
    mailer,
    publicUrl: 'http://vedette.test',
    log,
    everyMs: 0,
    ...options.times,
  })
  t.after(() => sending.stop())
  server.signals.on('mails', () => sending.wake())
  let seen = 0
  return {
    ...{ server, mails, sending, pageId: page.id, serviceId: service.id },
    async nextMail() {
      await until('a mail arrives', () => mails.received.length > seen)
      const mail = mails.received[seen]
      if (mail === undefined) throw new Error('There is no mail.')
      seen += 1
      return mail
    },
    allSent: () =>
      until('everything was sent', async () => {
        const news = await db.selectFrom('status_page_news').select('page_id').execute()
        const waiting = await db.selectFrom('status_page_mails').select('id').execute()
        return news.length + waiting.length === 0
      }),
    async addReaders(...addresses) {
      const body = { subscriptions: addresses.map((address) => ({ address })), autoVerify: true }
      await call(routes.createStatusPageSubscriptions, { params: { statusPageId: page.id }, body })
    },
    async openIncident(update = {}, serviceIds = [service.id]) {
      const { id } = await call(routes.createStatusPageIncident, {
        body: {
          name: 'Orders are delayed',
          severity: 'MAJOR',
          services: serviceIds.map((serviceId) => ({ id: serviceId })),
          incidentUpdates: [{ description: 'We look into it.', notifySubscribers: true, ...update }],
        },
      })
      return id
    },
  }
}

/** The path of a link in the text of a mail. */
export function linkIn({ mail }: ReceivedMail, name: 'verify' | 'unsubscribe'): string {
  const found = new RegExp(`https?://\\S+/subscriptions/\\w+/${name}`).exec(mail.text ?? '')?.[0]
  if (found === undefined) throw new Error(`There is no link to ${name} in: ${mail.text}`)
  return found
}
