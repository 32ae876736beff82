import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Sets cluster settings; the reason of a refusal, null for none. */
async function set(settings: Record<string, string | null>): Promise<string | null> {
  const { status, json } = await rest.call('PUT /_cluster/settings', { transient: settings })
  if (status === 200) return null
  expect([status, json.error.type]).toEqual([400, 'illegal_argument_exception'])
  return json.error.reason
}

describe('settings of compilations', () => {
  it.each([
    ['max_compilations_rate', '1/1m'],
    ['cache_max_size', '1'],
    ['cache_expire', '1m'],
  ])('of a context that is not there are refused: %s', async (name, value) => {
    const key = `script.context.nope.${name}`
    expect(await set({ [key]: value })).toBe(`Context [nope] doesn't exist for setting [${key}]`)
    const { json } = await rest.call('GET /_cluster/settings?flat_settings=true')
    expect(json.transient).toEqual({})
  })

  it.each(['update', 'moving-function', 'processor_conditional', 'search'])(
    'of the context %s are taken',
    async context => {
      const key = `script.context.${context}.cache_max_size`
      expect(await set({ [key]: '7' })).toBeNull()
      expect(await set({ [key]: null })).toBeNull()
    },
  )

  it('of contexts and of all do not go together', async () => {
    expect(await set({ 'script.context.update.cache_max_size': '7' })).toBeNull()
    expect(await set({ 'script.max_compilations_rate': '5/1m' })).toBe(
      'Context cache settings [script.context.update.cache_max_size] requires [script.max_compilations_rate] to be [use-context]',
    )
    expect(
      await set({
        'script.context.update.cache_max_size': null,
        'script.max_compilations_rate': '5/1m',
      }),
    ).toBeNull()
    expect(await set({ 'script.context.update.cache_max_size': '7' })).toContain(
      'requires [script.max_compilations_rate] to be [use-context]',
    )
    expect(await set({ 'script.max_compilations_rate': null })).toBeNull()
  })

  it('do not go with the switch that turns rates off', async () => {
    const own = await openRest({ 'script.disable_max_compilations_rate': 'true' })
    const refused = async (key: string): Promise<string> => {
      const { json } = await own.call('PUT /_cluster/settings', { persistent: { [key]: '1/1m' } })
      return json.error.reason
    }
    try {
      expect(await refused('script.context.update.max_compilations_rate')).toBe(
        'Cannot set custom context compilation rates [script.context.update.max_compilations_rate] if compile rates disabled via [script.disable_max_compilations_rate]',
      )
      expect(await refused('script.max_compilations_rate')).toBe(
        'Cannot set custom general compilation rates [script.max_compilations_rate] to [1/1m] if compile rates disabled via [script.disable_max_compilations_rate]',
      )
    } finally {
      await own.close()
    }
  })
})

describe('a node does not start', () => {
  it.each([
    [
      { 'script.context.nope.cache_max_size': '1' },
      "Context [nope] doesn't exist for setting [script.context.nope.cache_max_size]",
    ],
    [
      { 'script.allowed_types': 'inline,file' },
      'unknown script type [file] found in setting [script.allowed_types].',
    ],
    [
      { 'script.allowed_types': 'inline,none' },
      'cannot specify both [none] and other script types for setting [script.allowed_types].',
    ],
    [
      { 'script.allowed_contexts': 'update,nope' },
      'unknown script context [nope] found in setting [script.allowed_contexts].',
    ],
    [
      { 'script.allowed_contexts': '' },
      'must specify at least one script context or none for setting [script.allowed_contexts].',
    ],
  ])('with %j', async (settings, reason) => {
    await expect(openRest(settings as Record<string, string>)).rejects.toThrow(reason)
  })
})
