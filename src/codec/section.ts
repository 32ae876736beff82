/** A loaded section in memory, and the checks of its header. */
import type { ArenaViews } from '../store/arena.ts'
import { CorruptSegmentError } from '../util/errors.ts'

/**
 * A loaded section's bytes, in an arena or in a buffer of its own. Its start is a multiple of 64,
 * so that columns can be read through typed views.
 */
export interface Section {
  readonly views: ArenaViews
  /** Byte offset of the section in the views' buffer. */
  readonly start: number
  readonly length: number
  /** File and section, for errors. */
  readonly name: string
}

/**
 * Checks a section's version and its length against its header.
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
 * Reads the offset of a part of `bytes` bytes from the header and checks it against the section's
 * end.
 * @returns the part's offset in the views' buffer
 * @throws {CorruptSegmentError} it is not inside the section
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
