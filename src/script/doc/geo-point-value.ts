import { doubleText } from '../../util/json/float-text.ts'
import { doubleValue, ScriptObject, type ScriptValue } from '../value/script-value.ts'

/** A place in degrees: a value of a `geo_point` field. */
export class GeoPointValue extends ScriptObject {
  readonly className: string = 'org.opensearch.common.geo.GeoPoint'
  readonly lat: number
  readonly lon: number

  constructor(lat: number, lon: number) {
    super()
    this.lat = lat
    this.lon = lon
  }

  override text(): string {
    return `${doubleText(this.lat)}, ${doubleText(this.lon)}`
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof GeoPointValue && other.lat === this.lat && other.lon === this.lon
  }

  override plain(): ScriptValue {
    return new Map([
      ['lat', doubleValue(this.lat)],
      ['lon', doubleValue(this.lon)],
    ])
  }
}
