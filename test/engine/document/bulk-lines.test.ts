import { expect, it } from 'vitest'
import type { BulkCall } from '../../../src/engine/api/documents.ts'
import { type BulkLine, readBulkLines } from '../../../src/engine/document/bulk-lines.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { Random } from '../../../src/util/random.ts'

function read(body: string): BulkLine[] {
  const call: BulkCall = {
    body: encodeUtf8(body),
    index: null,
    routing: 'r',
    refresh: 'false',
    requireAlias: false,
    source: null,
    waitForActiveShards: 1,
    timeoutInMillis: 1000,
  }
  return readBulkLines(call)
}

/** What the lines say, their documents as text. */
function told(lines: readonly BulkLine[]): unknown[] {
  return lines.map(({ source, ...rest }) => ({
    ...rest,
    source: source === null ? null : Buffer.from(source).toString(),
  }))
}

const IDS = [
  '1',
  '22',
  'é',
  'a"b',
  'tab\tin',
  'back\\slash',
  '\u{1f600}',
  'x'.repeat(171),
  ' ',
  '}',
]
const FORMS: readonly ((id: string) => string)[] = [
  id => `{"index":{"_index":"i","_id":${id}}}`,
  id => `{"index":{"_index":"other","_id":${id}}}`,
  id => `{ "create" : { "_index" : "i", "_id" : ${id} } }`,
  id => `{"delete":{"_index":"i","_id":${id}}}`,
  id => `{"index":{"_id":${id},"_index":"i"}}`,
  id => `{"index":{"_index":"i","_id":${id},"routing":"s"}}`,
  () => `{"index":{"_index":"i"}}`,
]

it('reads each line as if it stood alone, however alike they are (seed 5)', () => {
  const random = new Random(5)
  let alike = 0
  for (let round = 0; round < 400; round++) {
    const lines: string[] = []
    let form = FORMS[0]!
    let ending = '\n'
    for (let i = 0; i < 20; i++) {
      if (random.below(4) === 0) form = FORMS[random.below(FORMS.length)]!
      else alike++
      if (random.below(8) === 0) ending = ending === '\n' ? '\r\n' : '\n'
      const gap = random.below(9) === 0 ? ` ${ending}` : ''
      const id = random.below(3) > 0 ? `${random.below(1000)}` : IDS[random.below(IDS.length)]!
      const line = form(JSON.stringify(id))
      const document = line.includes('"delete"') ? '' : `{"n":${i},"t":"\\"}}"}${ending}`
      lines.push(`${line}${ending}${document}${gap}`)
    }
    expect(told(read(lines.join('')))).toEqual(lines.flatMap(line => told(read(line))))
  }
  expect(alike).toBeGreaterThan(1000)
})

const REFUSED: readonly (readonly [string, string])[] = [
  ['{"index":{"_index":"i","_id":"2"}\n{}\n', 'Unexpected end-of-input'],
  ['{"index":{"_index":"i","_id":"2"}}}\n{}\n', "Unexpected character ('}'"],
  ['{"index":{"_index":"i","_id":"\u0001"}}\n{}\n', 'Illegal unquoted character (code 1)'],
  ['{"index":{"_index":"i","_id":"2","of":1}}\n{}\n', 'unknown parameter [of]'],
  ['{"index":{"_index":"i","_id":"2"}}\n', 'source is missing'],
  ['{"index":{"_index":"i","_id":"2"}}', 'must be terminated by a newline'],
  ['{"index":{"_index":"i","_id":"2', 'must be terminated by a newline'],
]

it.each(REFUSED)('refuses %j, behind a line of the usual form, too', (line, reason) => {
  expect(() => read(line)).toThrow(reason)
  expect(() => read(`{"index":{"_index":"i","_id":"1"}}\n{}\n${line}`)).toThrow(reason)
})

it('passes over what stands behind an action, and keys whose value is null', () => {
  const [line] = told(
    read('{"index":{"_index":"i","pipeline":null,"_type":null},"attempts":3}\n{"n":1}\n'),
  )
  expect(line).toEqual(told(read('{"index":{"_index":"i"}}\n{"n":1}\n'))[0])
})
