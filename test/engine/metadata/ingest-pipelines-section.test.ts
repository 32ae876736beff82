import { expect, it } from 'vitest'
import { INGEST_PIPELINES } from '../../../src/engine/metadata/section/ingest-pipelines.ts'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { CorruptSegmentError } from '../../../src/util/errors.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { writeJson } from '../../../src/util/json/json-writer.ts'

it('keeps pipelines as they were given, numbers and names too', () => {
  const text =
    '{"__proto__":{"processors":[{"set":{"field":"a","value":1.0}}]},"b":{"version":9007199254740993}}'
  const pipelines = INGEST_PIPELINES.parse(parseJsonTree(encodeUtf8(text)))
  expect([...pipelines.keys()]).toEqual(['__proto__', 'b'])
  expect(decodeUtf8(writeJson(INGEST_PIPELINES.print(pipelines)))).toBe(text)
})

it.each(['[]', '{"a":1}'])('takes %s for damage', text => {
  expect(() => INGEST_PIPELINES.parse(parseJsonTree(encodeUtf8(text)))).toThrow(CorruptSegmentError)
})
