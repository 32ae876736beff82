import { describe, expect, it } from 'vitest'
import { parseCountBody } from '../../../../src/engine/dsl/search-body/count-body.ts'
import { encodeUtf8 } from '../../../../src/util/bytes.ts'
import { type JsonNode, parseJsonTree } from '../../../../src/util/json/json-tree.ts'

function tree(json: string): JsonNode {
  return parseJsonTree(encodeUtf8(json))
}

describe('parseCountBody', () => {
  it('takes a query alone', () => {
    expect(parseCountBody(null)).toBe(null)
    expect(parseCountBody(tree('{"query":{"match_all":{}}}'))).not.toBe(null)
    expect(() => parseCountBody(tree('{"size":1}'))).toThrow('request does not support [size]')
    expect(() => parseCountBody(tree('[]'))).toThrow('Expected [START_OBJECT] but found')
  })
})
