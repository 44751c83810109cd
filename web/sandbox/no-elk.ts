/** In place of the package that lays out graphs by another rule, which is not offered. */
export default class NoElk {
  layout(): never {
    throw new Error("This layout is not offered");
  }
}
