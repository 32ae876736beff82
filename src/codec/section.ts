import type { ArenaViews } from '../store/arena.ts'
import { CorruptSegmentError } from '../util/errors.ts'

/**
 * A section's bytes where they lie loaded: in an arena, or in a buffer of one's own. Its start is
 * a multiple of 64, so that columns can be read through the typed views.
 */
export interface Section {
  readonly views: ArenaViews
  /** Where the section starts in the views' buffer, in bytes. */
  readonly start: number
  readonly length: number
  /** File and section, for errors. */
  readonly name: string
}

/**
 * Checks a section's version and that it is as long as its header says.
 * @throws {CorruptSegmentError} otherwise
 */
export function checkSection(section: Section, version: number, headerBytes: number): void {
  if (section.length < headerBytes)
    throw new CorruptSegmentError(
      section.name,
      0,
      `a header of ${headerBytes} bytes`,
      `${section.length} bytes`,
    )
  const found = section.views.u32[section.start >> 2]!
  if (found !== version)
    throw new CorruptSegmentError(section.name, 0, `version ${version}`, `${found}`)
}

/**
 * Reads a header's offset of a part of `bytes` bytes and holds it against the section's end.
 * @returns the part's place in the views' buffer
 * @throws {CorruptSegmentError} when it does not lie inside
 */
export function partOf(section: Section, header: number, bytes: number): number {
  const offset = section.views.u32[(section.start + header) >> 2]!
  if (offset + bytes > section.length)
    throw new CorruptSegmentError(
      section.name,
      header,
      `an offset of at most ${section.length - bytes}`,
      `${offset}`,
    )
  return section.start + offset
}
