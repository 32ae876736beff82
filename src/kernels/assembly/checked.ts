/**
 * Checked memory accesses of the debug build, which `scripts/checked-kernels.mjs` substitutes for
 * raw ones: each verifies that the call may access every one of its bytes. The production module
 * has none of this.
 *
 * The upper half of the memory holds an owner for each byte of the lower half, which is the arena:
 * 0 for unowned bytes, `SCRATCH` for allocated scratch, else the number of the leaf whose sections
 * lie there. Ranges are disjoint, so every access has one owner or is out of bounds.
 */

/** Reports to the caller, which throws. */
@external('env', 'stray')
declare function stray(at: u32, byteLength: u32, writes: bool): void

const SCRATCH: u8 = 0xff

/** Address of the owners: the end of the arena. */
let owners: usize = 0
/** The searched leaf; 0: reads are unchecked within the arena, as in the production module. */
let leaf: u8 = 0

/** Sets the leaf that the next calls may read, besides scratch. */
export function searchLeaf(arenaBytes: usize, number: u8): void {
  owners = arenaBytes
  leaf = number
}

function isOwned<T>(at: usize, owner: u8): bool {
  if (sizeof<T>() == 1) return load<u8>(at) == owner
  if (sizeof<T>() == 2) return load<u16>(at) == <u16>owner * 0x0101
  if (sizeof<T>() == 4) return load<u32>(at) == <u32>owner * 0x01010101
  if (sizeof<T>() == 8) return load<u64>(at) == <u64>owner * 0x0101010101010101
  return i8x16.all_true(i8x16.eq(v128.load(at), i8x16.splat(owner)))
}

/** The address itself, checked. Sums are made in 64 bits: an address must not wrap. */
function readable<T>(at: usize, offset: usize): usize {
  const start = <u64>at + <u64>offset
  if (start + sizeof<T>() > <u64>owners) {
    if (!leaf) unreachable()
    stray(<u32>start, <u32>sizeof<T>(), false)
  } else if (leaf) {
    const owner = owners + <usize>start
    if (!isOwned<T>(owner, SCRATCH) && !isOwned<T>(owner, leaf))
      stray(<u32>start, <u32>sizeof<T>(), false)
  }
  return at
}

function writable<T>(at: usize, offset: usize): usize {
  const start = <u64>at + <u64>offset
  if (start + sizeof<T>() > <u64>owners || !isOwned<T>(owners + <usize>start, SCRATCH))
    stray(<u32>start, <u32>sizeof<T>(), true)
  return at
}

/** `load` with its address checked. */
export function checkedLoad<T>(at: usize, offset: usize = 0): T {
  return load<T>(readable<T>(at, offset) + offset)
}

/** `store` with its address checked. */
export function checkedStore<T>(at: usize, value: T, offset: usize = 0): void {
  store<T>(writable<T>(at, offset) + offset, value)
}

/** `v128.load` with its address checked. */
export function checkedLoad128(at: usize, offset: usize = 0): v128 {
  return v128.load(readable<v128>(at, offset) + offset)
}

/** `v128.store` with its address checked. */
export function checkedStore128(at: usize, value: v128, offset: usize = 0): void {
  v128.store(writable<v128>(at, offset) + offset, value)
}

/** `v128.load32_zero` with its address checked. */
export function checkedLoad32Zero(at: usize): v128 {
  return v128.load32_zero(readable<u32>(at, 0))
}

/** `v128.load64_zero` with its address checked. */
export function checkedLoad64Zero(at: usize): v128 {
  return v128.load64_zero(readable<u64>(at, 0))
}

/** `v128.load_ext` with its address checked: eight bytes, each of which is widened. */
export function checkedLoadExt<T>(at: usize, offset: usize = 0): v128 {
  return v128.load_ext<T>(readable<u64>(at, offset) + offset)
}

/** `v128.load_lane` with its address checked; the lane must be a constant of the instruction. */
export function checkedLoadLane<T>(at: usize, vector: v128, lane: u8): v128 {
  readable<T>(at, 0)
  if (lane == 1) return v128.load_lane<T>(at, vector, 1)
  if (lane == 2) return v128.load_lane<T>(at, vector, 2)
  if (lane == 3) return v128.load_lane<T>(at, vector, 3)
  return v128.load_lane<T>(at, vector, 0)
}

/** `memory.fill` with its range checked. */
export function checkedFill(at: usize, value: u8, byteLength: usize): void {
  for (let i: usize = 0; i < byteLength; i++) writable<u8>(at, i)
  memory.fill(at, value, byteLength)
}
