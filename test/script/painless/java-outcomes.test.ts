import { expect, it } from 'vitest'
import {
  javaScripts,
  painlessSource,
  SCRIPT_COUNT,
  SCRIPT_SEED,
} from '../../support/java/java-scripts.ts'
import { ofAnyJdk, ourOutcome, recordedOutcomes, sourcesHash } from './java-outcomes.ts'

const scripts = javaScripts(SCRIPT_SEED, SCRIPT_COUNT)
const { hash, outcomes } = recordedOutcomes()

it('the recording is of these scripts', () => {
  expect([scripts.length, outcomes.length]).toEqual([SCRIPT_COUNT, SCRIPT_COUNT])
  expect(hash).toBe(sourcesHash(scripts))
  const kinds = new Set(outcomes.map(each => /^(throws \S+|\w+)/.exec(each)?.[1]))
  expect([...kinds].sort()).toEqual([
    'boolean',
    'double',
    'integer',
    'long',
    'string',
    'throws java.lang.ArithmeticException',
    'throws java.lang.IllegalArgumentException',
    'throws java.lang.IndexOutOfBoundsException',
    'throws java.lang.NumberFormatException',
    'throws java.lang.StringIndexOutOfBoundsException',
  ])
})

it(`${SCRIPT_COUNT} random scripts of seed ${SCRIPT_SEED} end as they do in Java`, () => {
  for (const [i, script] of scripts.entries())
    expect(ofAnyJdk(ourOutcome(script)), `script ${i}:\n${painlessSource(script)}`).toBe(
      ofAnyJdk(outcomes[i]!),
    )
})
