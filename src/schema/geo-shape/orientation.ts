/**
 * Which way three points turn, exactly, for coordinates of 32 bits: their products need 66, so that what a
 * double leaves in doubt is done again in whole numbers.
 * @returns above 0 counterclockwise, below 0 clockwise, 0 on one line
 */
export function turn(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): number {
  const left = (bx - ax) * (cy - ay)
  const right = (cx - ax) * (by - ay)
  const difference = left - right
  if (Math.abs(difference) > (Math.abs(left) + Math.abs(right)) * 2 ** -51) return difference
  const exact = BigInt(bx - ax) * BigInt(cy - ay) - BigInt(cx - ax) * BigInt(by - ay)
  return exact > 0n ? 1 : exact < 0n ? -1 : 0
}
