import { describe, expect, it } from 'vitest'
import { reasonOf, valueReader } from '../../support/one-field.ts'

describe('keyword', () => {
  it('leaves out values above its limit, which counts UTF-16 units and not bytes', () => {
    const read = valueReader({ type: 'keyword', ignore_above: 3 })
    expect(read('["abc", "abcd", "äöü", "äöüä", "😀a", "😀ab"]')).toEqual(['abc', 'äöü', '😀a'])
    expect(read('["\\u0061bc", "\\u0061bcd"]')).toEqual(['abc'])
  })

  it('leaves out a null value above the limit too', () => {
    expect(valueReader({ type: 'keyword', null_value: 'abc' })('null')).toEqual(['abc'])
    expect(valueReader({ type: 'keyword', null_value: 'abc', ignore_above: 2 })('null')).toEqual([])
  })

  it('adds nothing where it is kept in no way', () => {
    expect(valueReader({ type: 'keyword', index: false, doc_values: false })('"a"')).toEqual([])
    expect(valueReader({ type: 'keyword', index: false })('"a"')).toEqual(['a'])
  })

  it('refuses an object and says where it starts', () => {
    expect(reasonOf(() => valueReader({ type: 'keyword' })('{}'))).toBe(
      "Can't get text on a START_OBJECT at 1:6",
    )
  })
})
