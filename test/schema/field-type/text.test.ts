import { describe, expect, it } from 'vitest'
import { fieldOf, reasonOf, valueReader } from '../../support/one-field.ts'

describe('text', () => {
  it('takes any scalar as it is written, and no null', () => {
    const read = valueReader({ type: 'text' })
    expect(read('["a\\tb", 1.50, true, null]')).toEqual(['a\tb', '1.50', 'true'])
    expect(valueReader({ type: 'text', index: false })('"a"')).toEqual([])
  })

  it('has neither terms nor norms where it is not indexed', () => {
    expect(fieldOf({ type: 'text', index: false })).toMatchObject({
      indexOptions: 'none',
      norms: false,
    })
  })

  it('refuses analyzers that need another, and a gap without positions', () => {
    expect(reasonOf(() => fieldOf({ type: 'text', search_analyzer: 'a' }))).toBe(
      'analyzer on field [f] must be set when search_analyzer is set',
    )
    expect(
      reasonOf(() => fieldOf({ type: 'text', index_options: 'docs', position_increment_gap: 1 })),
    ).toBe('Cannot set position_increment_gap on field [f] without positions enabled')
  })
})
