import { faker } from '@faker-js/faker'
import { expect, test } from '@playwright/test'
import axios from 'axios'
import CryptoJS from 'crypto-js'
import { format } from 'date-fns'
import jwt from 'jsonwebtoken'
import moment from 'moment'
import { v4 } from 'uuid'
import { z } from 'zod'
import { degraded } from 'vedette'

test('what the runtime promises can be imported', async () => {
  expect(CryptoJS.MD5('a').toString()).toBe('0cc175b9c0f1b6a831c399e269772661')
  expect(format(new Date(0), 'yyyy')).toBe('1970')
  expect(moment.utc(0).year()).toBe(1970)
  expect(jwt.verify(jwt.sign({ a: 1 }, 'key'), 'key')).toMatchObject({ a: 1 })
  expect(z.string().parse(v4())).toHaveLength(36)
  expect(faker.person.firstName()).not.toBe('')
})
test('other clients than Playwright', async () => {
  const { data } = await axios.get(`${process.env.SITE}/json`)
  expect(data).toEqual({ status: 'ok' })
  const response = await fetch(`${process.env.SITE}/json`)
  expect(await response.json()).toEqual({ status: 'ok' })
})
test('a module to ask for degraded', async () => degraded('by hand'))
