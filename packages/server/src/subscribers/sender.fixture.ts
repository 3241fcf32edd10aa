/** A server that does nothing but send mails to subscribers; a test kills it. */
import { openDatabase } from '../db/database.ts'
import { createLog } from '../log.ts'
import { aMailer } from '../mail/mail-server.fixture.ts'
import { dataKey } from '../secrets/seal.ts'
import { secretsWith } from '../secrets/secrets.ts'
import { startSending } from './send.ts'

const { TEST_DATABASE = '', TEST_KEY = '', TEST_MAIL_PORT = '' } = process.env
startSending({
  db: openDatabase(TEST_DATABASE, () => {}).db,
  secrets: secretsWith(dataKey(Buffer.from(TEST_KEY, 'hex'))),
  mailer: aMailer({ after: () => {} }, Number(TEST_MAIL_PORT)),
  publicUrl: 'http://vedette.test',
  log: createLog('error'),
  leaseMs: 300,
})
