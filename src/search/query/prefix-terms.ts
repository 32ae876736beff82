import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'

/** The first terms with a prefix, over all leaves, in byte order. */
export function termsWithPrefix(
  field: string,
  prefix: string,
  max: number,
  leaves: readonly Leaf[],
): string[] {
  const start = encodeUtf8(prefix)
  const found: Uint8Array[] = []
  for (const leaf of leaves) {
    if ((leaf.fieldInfo(field)?.indexOptions ?? 'none') === 'none') continue
    const terms = leaf.terms(field)
    if (terms === null) continue
    const first = terms.ceilingOf(start)
    const iterator = terms.iterator()
    for (let ord = first; ord < Math.min(terms.termCount, first + max); ord++) {
      iterator.seekOrd(ord)
      const term = iterator.term()
      if (term.length < start.length || compareBytes(term.subarray(0, start.length), start) !== 0)
        break
      found.push(term.slice())
    }
  }
  found.sort(compareBytes)
  const texts = new Set<string>()
  for (const term of found) {
    if (texts.size === max) break
    texts.add(decodeUtf8(term))
  }
  return [...texts]
}
