import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Index, open } from '../../../src/index.ts'

let db: Database
let index: Index

beforeAll(async () => {
  db = await open(undefined, { settings: { 'lamella.threads.search': 2 } })
  index = await db.index('i', { properties: { t: { type: 'text' } } })
  const documents = Array.from({ length: 9000 }, (_, i) => ({ source: { t: `word ${i % 7}` } }))
  await index.bulk(documents, { refresh: true })
  await db.request({ method: 'POST', path: '/i/_forcemerge?max_num_segments=1' })
})

afterAll(() => db.close())

async function sliceCountOf(options: { readonly slices?: number }): Promise<number | null> {
  const { profile } = await index.search(
    { query: { match: { t: 'word' } }, profile: true },
    options,
  )
  return profile!.shards[0]!.collectors[0]!.sliceCount
}

describe('profile_slices and profile_kernels', () => {
  it.each(['profile_slices', 'profile_kernels'])('are refused without a profile: %s', async key => {
    for (const body of [{ [key]: true }, { [key]: true, profile: false }]) {
      const { status, json } = await db.request({ method: 'POST', path: '/i/_search', body })
      expect(status).toBe(400)
      expect(JSON.stringify(json())).toContain(`[${key}] adds to a profile`)
    }
    const { status } = await db.request({
      method: 'POST',
      path: '/i/_search',
      body: { [key]: false },
    })
    expect(status).toBe(200)
  })
})

describe('lamella.profile.sampling', () => {
  it('takes three values, and measures every call where it says unsampled', async () => {
    await expect(db.changeSettings({ 'lamella.profile.sampling': 'always' })).rejects.toThrow(
      'must be one of [calibrated, reference, unsampled]',
    )
    for (const sampling of ['calibrated', 'reference', 'UNSAMPLED']) {
      await db.changeSettings({ 'lamella.profile.sampling': sampling })
      const { profile } = await index.search({ query: { match: { t: 'word' } }, profile: true })
      expect(profile!.shards[0]!.queries[0]!.breakdown['score_count']).toBeGreaterThan(0)
    }
    await db.changeSettings({ 'lamella.profile.sampling': null })
  })
})

describe('slices that a call asks for', () => {
  it('win over the settings of the index and the cluster', async () => {
    await db.changeSettings({ 'search.concurrent.max_slice_count': 2 })
    const settings = {
      'search.concurrent.max_slice_count': 1,
      'search.concurrent_segment_search.mode': 'none',
    }
    await db.request({ method: 'PUT', path: '/i/_settings', body: { index: settings } })
    expect(await sliceCountOf({})).toBeNull()
    expect(await sliceCountOf({ slices: 2 })).toBe(2)
    expect(await sliceCountOf({ slices: 1 })).toBe(1)
    for (const slices of [0, 1.5, '2' as never])
      await expect(index.search({}, { slices })).rejects.toThrow('[slices] must be a whole number')
  })
})
