import type { FieldDataCharge } from './field-data-charge.ts'
import type { OrdinalMaps, OrdinalMapsKey } from './ordinal-maps.ts'
import type { Segment } from './segment.ts'

interface Entry extends OrdinalMapsKey {
  readonly key: string
  /** One of the segments. */
  readonly segment: Segment
  readonly maps: OrdinalMaps
  readonly charge: FieldDataCharge
}

/** Maps of one field that a shard keeps: those of the newest snapshot, and of one that is still searched. */
const KEPT_PER_FIELD = 2

/**
 * Global ordinals by field and segments: made by the first search that asks, kept until one of the
 * segments closes or they are cleared. They count as field data, in its breaker and its statistics.
 */
export class OrdinalMapCache {
  readonly #openCharge: (field: string) => FieldDataCharge
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()

  /** @param openCharge opens the charge of the maps of a field */
  constructor(openCharge: (field: string) => FieldDataCharge) {
    this.#openCharge = openCharge
  }

  /**
   * The maps of some segments of a shard.
   * @param segment one of them
   * @param make    makes them where there are none yet
   * @throws {EngineError} `circuit_breaking_exception` without room
   */
  of(segment: Segment, asked: OrdinalMapsKey, make: () => OrdinalMaps): OrdinalMaps {
    const key = `${asked.uids.join()}/${asked.field}`
    const known = this.#entries.get(key)
    if (known !== undefined) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known.maps
    }
    const reserved = this.#openCharge(asked.field)
    reserved.add(asked.maxBytes)
    let maps: OrdinalMaps
    try {
      maps = make()
    } finally {
      reserved.release()
    }
    const charge = this.#openCharge(asked.field)
    charge.add(bytesOf(maps))
    this.#entries.set(key, { ...asked, key, segment, maps, charge })
    this.#dropOlder(segment.directory, asked.field)
    return maps
  }

  #dropOlder(directory: object, field: string): void {
    const same = [...this.#entries.values()].filter(
      each => each.segment.directory === directory && each.field === field,
    )
    for (const entry of same.slice(0, -KEPT_PER_FIELD)) this.#drop(entry)
  }

  /** Adds the bytes of a shard's maps by field. @param directory that its segments share */
  addUse(directory: object, bytes: Map<string, number>): void {
    for (const { segment, field, maps } of this.#entries.values())
      if (segment.directory === directory) bytes.set(field, (bytes.get(field) ?? 0) + bytesOf(maps))
  }

  /** Frees the maps in which a segment has a part. @param fields names; null: of all fields */
  clear({ uid }: Segment, fields: ReadonlySet<string> | null): void {
    for (const entry of [...this.#entries.values()])
      if (entry.uids.includes(uid) && fields?.has(entry.field) !== false) this.#drop(entry)
  }

  #drop({ key, charge }: Entry): void {
    this.#entries.delete(key)
    charge.release()
  }
}

function bytesOf({ globals, leaves, ords }: OrdinalMaps): number {
  return globals.reduce((sum, each) => sum + each.byteLength, leaves.byteLength + ords.byteLength)
}
