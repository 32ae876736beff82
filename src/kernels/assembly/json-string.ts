/**
 * Where bytes that a JSON string holds as they stand, printable ASCII but `"` and `\`, end.
 * @param limit behind which 15 bytes are readable
 * @returns the first other byte in [at, limit), or `limit`
 */
export function plainRun(at: usize, limit: usize): usize {
  for (let p = at; p < limit; p += 16) {
    const bytes = v128.load(p)
    // Signed: what is not ASCII is below too.
    const special = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    )
    const bits = i8x16.bitmask(special)
    if (bits) return min<usize>(p + <usize>ctz(bits), limit)
  }
  return limit
}
