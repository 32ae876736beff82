/** Floating-point numbers as integers of the same order, as `codec/doc-values/sortable.ts` has them. */

const view = new DataView(new ArrayBuffer(8))

/** A double as a signed integer of 64 bits; −0 stands below 0. */
export function doubleOrder(value: number): bigint {
  view.setFloat64(0, value)
  const bits = view.getBigInt64(0)
  return bits < 0n ? bits ^ 0x7fff_ffff_ffff_ffffn : bits
}

/** The double of such an integer. */
export function doubleOfOrder(order: bigint): number {
  view.setBigInt64(0, order < 0n ? order ^ 0x7fff_ffff_ffff_ffffn : order)
  return view.getFloat64(0)
}

/** A float as a signed integer of 32 bits; −0 stands below 0. */
export function floatOrder(value: number): bigint {
  view.setFloat32(0, value)
  const bits = view.getInt32(0)
  return BigInt(bits < 0 ? bits ^ 0x7fff_ffff : bits)
}

/** The float of such an integer. */
export function floatOfOrder(order: bigint): number {
  const bits = Number(order)
  view.setInt32(0, bits < 0 ? bits ^ 0x7fff_ffff : bits)
  return view.getFloat32(0)
}
