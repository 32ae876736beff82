/**
 * End of a run of bytes that a JSON string holds unescaped: printable ASCII except `"` and `\`.
 * @param limit 15 bytes behind it are readable
 * @returns the first other byte in [at, limit), or `limit`
 */
export function plainRun(at: usize, limit: usize): usize {
  for (let p = at; p < limit; p += 16) {
    const bytes = v128.load(p)
    // Signed comparison: non-ASCII bytes are below too.
    const special = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    )
    const bits = i8x16.bitmask(special)
    if (bits) return min<usize>(p + <usize>ctz(bits), limit)
  }
  return limit
}
