public import GRDB

/// One step of the schema, of one capability. Names are unique and never change; steps run in the order of the list.
public struct Migration: Sendable {
    public let name: String
    let apply: @Sendable (Database) throws -> Void

    public init(_ name: String, apply: @escaping @Sendable (Database) throws -> Void) {
        (self.name, self.apply) = (name, apply)
    }
}
