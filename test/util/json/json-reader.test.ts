import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../../src/util/errors.ts'
import { JSON_LIMITS, JSON_TOKENS, JsonReader } from '../../../src/util/json/json-reader.ts'
import { type JsonNode, parseJsonTree } from '../../../src/util/json/json-tree.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A tree as the values that `JSON.parse` gives, objects as lists of pairs. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'object') return node.entries.map(e => [e.key, plain(e.value)])
  if (node.kind === 'array') return { items: node.items.map(plain) }
  return node.kind === 'null' ? null : node.value
}

function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return { items: value.map(plainOf) }
  if (value !== null && typeof value === 'object')
    return Object.keys(value).map(key => [
      wellFormed(key),
      plainOf((value as Record<string, unknown>)[key]),
    ])
  return typeof value === 'string' ? wellFormed(value) : value
}

function failure(bytes: Uint8Array): string {
  try {
    parseJsonTree(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError)
    expect((error as EngineError).type).toMatch(/^json_(parse|e_o_f)_exception$/)
    return (error as EngineError).message
  }
  return 'none'
}

describe('the JSON reader', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(
        fc.json({ noUnicodeString: false, maxDepth: 6 }),
        fc.constantFrom(0, 1, 3),
        (text, indent) => {
          const value = JSON.parse(text)
          const spaced = JSON.stringify(value, null, indent)
          // Keys that look like array indices move to the front in a JS object.
          const inOrder = JSON.parse(spaced)
          expect(plain(parseJsonTree(encode(spaced)))).toEqual(plainOf(inOrder))
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })

  it('takes and refuses mutated text exactly as JSON.parse does, duplicate names apart', () => {
    const mutation = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('drop', 'set', 'insert', 'cut'),
      char: fc.constantFrom(...'{}[]",:\\/u0eE+-.19tfn \n\u0001é😀'),
    })
    let refused = 0
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        (text, mutations) => {
          let chars = [...text]
          for (const { at, kind, char } of mutations) {
            const place = at % (chars.length + 1)
            if (kind === 'drop') chars.splice(place, 1)
            else if (kind === 'set') chars.splice(place, 1, char)
            else if (kind === 'insert') chars.splice(place, 0, char)
            else chars = chars.slice(0, place)
          }
          const bytes = encode(chars.join(''))
          const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
          let expected: unknown
          let valid = true
          try {
            expected = JSON.parse(decoded)
          } catch {
            valid = false
          }
          const reason = failure(bytes)
          if (!valid) {
            refused++
            expect(reason).toMatch(/; at \[line: \d+, column: \d+\]$/)
          } else if (!reason.startsWith('Duplicate field'))
            expect(plain(parseJsonTree(bytes))).toEqual(sorted(plainOf(expected), bytes))
        },
      ),
      { seed: 11, numRuns: 2000 },
    )
    expect(refused).toBeGreaterThan(500)
  })

  it('gives byte ranges and fills in escapes without making strings', () => {
    const reader = new JsonReader()
    const bytes = encode('{"a":"x\\u00e9\\n\\ud83d\\ude00\\ud800é"}')
    reader.reset(bytes)
    expect(reader.next()).toBe(JSON_TOKENS.objectStart)
    expect(reader.next()).toBe(JSON_TOKENS.name)
    expect([reader.start, reader.end, reader.hasEscapes]).toEqual([2, 3, false])
    expect(reader.next()).toBe(JSON_TOKENS.string)
    expect([reader.hasEscapes, reader.isAscii]).toEqual([true, false])
    const target = new Uint8Array(64)
    const end = reader.unescapeInto(target, 0)
    expect(new TextDecoder().decode(target.subarray(0, end))).toBe('xé\n😀\ufffdé')
    expect(reader.text()).toBe('xé\n😀\ufffdé')
  })

  it('keeps the text of numbers and says which are integers', () => {
    const tree = parseJsonTree(encode('[1.0, 9007199254740993, -0, 1E3]'))
    expect(tree.kind === 'array' && tree.items.map(n => n.kind === 'number' && n.text)).toEqual([
      '1.0',
      '9007199254740993',
      '-0',
      '1E3',
    ])
    const reader = new JsonReader()
    reader.reset(encode('1.0'))
    reader.next()
    expect(reader.isInteger).toBe(false)
  })

  it('counts lines and columns from 1', () => {
    const tree = parseJsonTree(encode('{\n  "a": [1,\n 22]}'))
    const entry = tree.kind === 'object' ? tree.entries[0]! : null
    expect([entry?.line, entry?.col]).toEqual([2, 3])
    const items = entry?.value.kind === 'array' ? entry.value.items : []
    expect(items.map(item => [item.line, item.col])).toEqual([
      [2, 9],
      [3, 2],
    ])
    expect(failure(encode('{\n "a": }'))).toContain('at [line: 2, column: 7]')
  })

  it('refuses duplicate names, escaped ones and those of large objects too', () => {
    expect(failure(encode('{"a":1,"b":{"a":2},"a":3}'))).toContain("Duplicate field 'a'")
    expect(failure(encode('{"a":1,"\\u0061":3}'))).toContain("Duplicate field 'a'")
    const many = Array.from({ length: 5000 }, (_, i) => `"key${i}":{"key${i}":1}`)
    expect(failure(encode(`{${many.join(',')}}`))).toBe('none')
    expect(failure(encode(`{${many.join(',')},"key17":0}`))).toContain("Duplicate field 'key17'")
    expect(failure(encode(`{${many.join(',')},"key4999":0}`))).toContain('Duplicate')
  })

  it('refuses UTF-8 that is not well formed', () => {
    const bad = [
      [0xff],
      [0xc0, 0x80],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x80, 0x80, 0x80],
      [0xe2, 0x82],
      [0x80],
    ]
    for (const bytes of bad)
      expect(failure(new Uint8Array([0x22, ...bytes, 0x22]))).toContain('Invalid UTF-8')
  })

  it('agrees with the fatal decoder on random bytes within a string', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8, min: 0x7e }), inner => {
        const bytes = new Uint8Array([0x22, ...inner, 0x22])
        let valid = true
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(inner)
        } catch {
          valid = false
        }
        expect(failure(bytes) === 'none').toBe(valid)
      }),
      { seed: 3, numRuns: 3000 },
    )
  })

  it('holds its limits', () => {
    const deep = (n: number): Uint8Array => encode('['.repeat(n) + ']'.repeat(n))
    expect(failure(deep(JSON_LIMITS.depth))).toBe('none')
    expect(failure(deep(JSON_LIMITS.depth + 1))).toContain('nesting depth (1001)')
    expect(failure(encode(`{"${'n'.repeat(50_001)}":1}`))).toContain('Name length (50001)')
    expect(failure(encode('1'.repeat(1001)))).toContain('Number value length (1001)')
    const reader = new JsonReader({ ...JSON_LIMITS, stringLength: 3 })
    reader.reset(encode('"abcd"'))
    expect(() => reader.next()).toThrow('String value length (4) exceeds the maximum allowed (3)')
  })

  it('keeps names like __proto__ as plain entries', () => {
    const tree = parseJsonTree(encode('{"__proto__":{"x":1}}'))
    expect(plain(tree)).toEqual([['__proto__', [['x', 1]]]])
  })

  it('passes over a container as a whole', () => {
    const reader = new JsonReader()
    reader.reset(encode('{"a":{"b":[1,{"c":2}]},"d":3}'))
    reader.next()
    reader.next()
    expect(reader.next()).toBe(JSON_TOKENS.objectStart)
    reader.skipChildren()
    expect(reader.next()).toBe(JSON_TOKENS.name)
    expect(reader.text()).toBe('d')
  })
})

/** `JSON.parse` moves index-like names to the front; puts them back in document order. */
function sorted(expected: unknown, bytes: Uint8Array): unknown {
  return reorder(expected, plain(parseJsonTree(bytes)))
}

function reorder(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const names = actual.map(pair => (pair as [string, unknown])[0])
    return [...(expected as [string, unknown][])]
      .sort((a, b) => names.indexOf(a[0]) - names.indexOf(b[0]))
      .map(([key, value]) => {
        const twin = (actual as [string, unknown][]).find(pair => pair[0] === key)
        return [key, reorder(value, twin?.[1])]
      })
  }
  if (isItems(expected) && isItems(actual))
    return { items: expected.items.map((item, i) => reorder(item, actual.items[i])) }
  return expected
}

function isItems(value: unknown): value is { items: unknown[] } {
  return value !== null && typeof value === 'object' && 'items' in value
}

/** The text with U+FFFD for lone surrogates. */
function wellFormed(text: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encode(text))
}
