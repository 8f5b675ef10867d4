/** The unit is another worker's by now. */
export class UnitLost extends Error {
  override readonly name = 'UnitLost';
}
