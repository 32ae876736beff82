import { expect, it } from 'vitest'
import { FailedLogins } from '../../../src/service/security/failed-logins.ts'
import { HashingQueue } from '../../../src/service/security/hashing-queue.ts'
import { LoginCache } from '../../../src/service/security/login-cache.ts'
import {
  hashPassword,
  isPasswordHash,
  matchesPassword,
} from '../../../src/service/security/password-hash.ts'

it('doubles the pause with each failure, by user and address, and forgets in time', () => {
  let now = 0
  const failed = new FailedLogins(() => now)
  for (let i = 0; i < 4; i++) failed.note('a', 'ann')
  expect(failed.isBlocked('a', 'ann')).toBe(false)
  failed.note('a', 'ann')
  expect(failed.isBlocked('a', 'ann')).toBe(true)
  expect(failed.isBlocked('a', 'bob')).toBe(false)
  expect(failed.isBlocked('b', 'ann')).toBe(false)
  now = 1_000
  expect(failed.isBlocked('a', 'ann')).toBe(false)
  failed.note('a', 'ann')
  now = 2_999
  expect(failed.isBlocked('a', 'ann')).toBe(true)
  now = 3_000
  expect(failed.isBlocked('a', 'ann')).toBe(false)
  for (let i = 0; i < 20; i++) failed.note('a', 'ann')
  now += 5 * 60_000 - 1
  expect(failed.isBlocked('a', 'ann')).toBe(true)
  failed.forget('a', 'ann')
  expect(failed.isBlocked('a', 'ann')).toBe(false)
})

it('makes an address wait that tries many names', () => {
  const failed = new FailedLogins(() => 0)
  for (let i = 0; i < 49; i++) failed.note('a', `user ${i}`)
  expect(failed.isBlocked('a', 'fresh')).toBe(false)
  failed.note('a', 'another')
  expect(failed.isBlocked('a', 'fresh')).toBe(true)
  expect(failed.isBlocked('b', 'fresh')).toBe(false)
})

it('keeps a bounded number of logins for a bounded time', () => {
  let now = 0
  const cache = new LoginCache<number>(() => now)
  const key = (i: number): string => cache.keyOf(`header ${i}`)
  for (let i = 0; i < 1_000; i++) cache.put(key(i), i)
  expect(cache.get(key(0))).toBe(0)
  cache.put(key(1_000), 1_000)
  // The one used longest ago went, which is no longer the first.
  expect([cache.get(key(0)), cache.get(key(1)), cache.get(key(2))]).toEqual([0, null, 2])
  now = 60 * 60_000
  expect(cache.get(key(0))).toBeNull()
  cache.put(key(5), 5)
  cache.forget(value => value === 5)
  expect(cache.get(key(5))).toBeNull()
})

it('runs few checks at a time and refuses when too many wait', async () => {
  const queue = new HashingQueue()
  let running = 0
  let most = 0
  const check = async (): Promise<void> => {
    most = Math.max(most, ++running)
    await new Promise(resolve => setImmediate(resolve))
    running--
  }
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => queue.run(check)))
  const refused = all.filter(one => one.status === 'rejected')
  expect([most, refused.length]).toEqual([2, 8])
  expect(String((refused[0] as PromiseRejectedResult).reason.message)).toBe(
    'rejected authentication: 100 wait already',
  )
  await expect(queue.run(async () => 7)).resolves.toBe(7)
})

it('makes hashes that only their password matches, each of its own salt', async () => {
  const [one, two] = [await hashPassword('päss wörd'), await hashPassword('päss wörd')]
  expect(one).not.toBe(two)
  expect(isPasswordHash(one)).toBe(true)
  expect(await matchesPassword('päss wörd', one)).toBe(true)
  // The same letters as another keyboard composes them.
  expect(await matchesPassword('päss wörd'.normalize('NFD'), one)).toBe(true)
  expect(await matchesPassword('pass word', one)).toBe(false)
  expect(await matchesPassword('x', '$scrypt$nonsense')).toBe(false)
})

it('checks no hash that takes more memory than one may', () => {
  const salt = 'c2FsdHNhbHRzYWx0c2FsdA'
  const key = 'c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ'
  expect(isPasswordHash(`$scrypt$ln=15,r=8,p=1$${salt}$${key}`)).toBe(true)
  expect(isPasswordHash(`$scrypt$ln=20,r=16,p=1$${salt}$${key}`)).toBe(false)
  expect(isPasswordHash(`$scrypt$ln=15,r=8,p=99$${salt}$${key}`)).toBe(false)
  expect(isPasswordHash(`$scrypt$ln=0,r=8,p=1$${salt}$${key}`)).toBe(false)
})
