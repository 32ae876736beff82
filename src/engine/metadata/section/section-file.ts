import { StateFile } from '../../../shard/state-file.ts'
import type { Directory } from '../../../store/directory.ts'
import { ByteWriter } from '../../../util/byte-writer.ts'
import { decodeUtf8, encodeUtf8 } from '../../../util/bytes.ts'
import { CorruptSegmentError, UnsupportedFormatError } from '../../../util/errors.ts'
import { type JsonNode, jsonEntry, parseJsonTree } from '../../../util/json/json-tree.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import type { MetadataSection, SectionValue } from './metadata-section.ts'
import { numberAt, textAt } from './stored-values.ts'

/** A section as it stands in a file; content of version 0 is the whole body of before sections. */
interface StoredSection {
  readonly version: number
  readonly isRequired: boolean
  readonly content: Uint8Array
}

const NEWLINE = 10

/**
 * A state file whose body is sections, each of which is read, upgraded and replaced by itself:
 *
 *   body    := section*
 *   section := head "\n" content "\n"
 *   head    := {"section": name, "version": number, "required": boolean}     JSON in one line
 *   content := JSON in one line
 *
 * Example: {"section":"cluster_settings","version":1,"required":true}
 *          {"persistent":{"search.max_buckets":"99"}}
 *
 * The body of before there were sections is one JSON object without a line break.
 *
 * Always: a section that this build does not know is kept byte for byte; if it is required, the file is
 * refused.
 */
export class SectionFile {
  readonly #file: StateFile
  readonly #stored: ReadonlyMap<string, StoredSection>
  /** Those that this build does not know, in their order. */
  readonly #unknown: readonly (readonly [name: string, stored: StoredSection])[]

  /**
   * Reads a folder's newest state.
   * @param known  sections that this build reads and writes in such files
   * @param before those of them whose values a body of before sections holds
   * @throws {CorruptSegmentError} damage
   * @throws {UnsupportedFormatError} a section that is required and not known
   */
  constructor(
    directory: Directory,
    known: readonly MetadataSection<unknown>[],
    before: readonly MetadataSection<unknown>[],
  ) {
    this.#file = new StateFile(directory)
    const { body } = this.#file
    this.#stored = body === null ? new Map() : readSections(body, before)
    this.#unknown = [...this.#stored].filter(([name]) => known.every(one => one.name !== name))
    for (const [name, { isRequired, version }] of this.#unknown)
      if (isRequired) throw new UnsupportedFormatError('state', name, version, 0)
  }

  /** True when there was no state. */
  get isEmpty(): boolean {
    return this.#file.body === null
  }

  /** True when the state was given up for good: what is left of its folder is to be deleted. */
  get isGivenUp(): boolean {
    return this.#file.isGivenUp
  }

  /** Has the folder given up unless a state is written, durable when this returns. */
  draft(): void {
    this.#file.draft()
  }

  /** Gives the state up, durable when this returns. After a failure it still holds. */
  giveUp(): void {
    this.#file.giveUp()
  }

  /**
   * A section's value as it was when this was made.
   * @throws {CorruptSegmentError} content that was never written
   * @throws {UnsupportedFormatError} content of a newer version
   */
  read<T>(section: MetadataSection<T>): T {
    const content = this.content(section)
    return content === null ? section.empty() : section.parse(content)
  }

  /** A section's content, in the form of its newest version; null when the file does not have it. */
  content(section: MetadataSection<unknown>): JsonNode | null {
    const stored = this.#stored.get(section.name)
    if (stored === undefined) return null
    const { version, content } = stored
    if (version > section.version)
      throw new UnsupportedFormatError('state', section.name, version, section.version)
    const node = parseJsonTree(content)
    return version === section.version ? node : section.upgrade(node, version)
  }

  /**
   * Replaces the state, durable when this returns. After a failure the old one still holds.
   * @param values of every section that this build knows
   */
  write(values: readonly SectionValue[]): void {
    const out = new ByteWriter()
    for (const { section, value } of values) {
      const { name, version, isRequired } = section
      writeSection(out, name, { version, isRequired, content: writeJson(section.print(value)) })
    }
    for (const [name, stored] of this.#unknown) writeSection(out, name, stored)
    this.#file.write(out.copy())
  }
}

function writeSection(out: ByteWriter, name: string, stored: StoredSection): void {
  const { version, isRequired, content } = stored
  out.bytes(encodeUtf8(`${JSON.stringify({ section: name, version, required: isRequired })}\n`))
  out.bytes(content)
  out.u8(NEWLINE)
}

function readSections(
  body: Uint8Array,
  before: readonly MetadataSection<unknown>[],
): ReadonlyMap<string, StoredSection> {
  const sections = new Map<string, StoredSection>()
  // JSON as it is written has breaks in texts escaped, so that none means the form of before.
  if (!body.includes(NEWLINE)) {
    for (const { name } of before)
      sections.set(name, { version: 0, isRequired: true, content: body })
    return sections
  }
  let offset = 0
  const line = (): Uint8Array => {
    const end = body.indexOf(NEWLINE, offset)
    if (end < 0)
      throw new CorruptSegmentError('state', 32 + offset, 'a line', decodeUtf8(body.slice(offset)))
    const found = body.subarray(offset, end)
    offset = end + 1
    return found
  }
  while (offset < body.length) {
    const head = parseJsonTree(line())
    const required = head.kind === 'object' ? jsonEntry(head, 'required')?.value : undefined
    sections.set(textAt(head, 'section'), {
      version: numberAt(head, 'version') ?? 0,
      isRequired: required?.kind === 'boolean' && required.value,
      content: line(),
    })
  }
  return sections
}
