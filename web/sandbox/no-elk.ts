/** Stub that replaces the ELK layout package, which is not supported. */
export default class NoElk {
  layout(): never {
    throw new Error("This layout is not offered");
  }
}
