/// Requests of programs.
extension RouteContext {
    /// Characters of an idempotency key.
    public static let keyLength = 1...64

    public func checkJSON() throws(Problem) {
        let type = request.headers["content-type"]?.lowercased().prefix { $0 != ";" }
        guard type == "application/json" else { throw Problem(.badRequest, "expected application/json") }
    }

    /// Key under which the same request is carried out once.
    public func idempotencyKey() throws(Problem) -> String {
        guard let key = request.headers["idempotency-key"], Self.keyLength.contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Problem(.badRequest, "expected an Idempotency-Key of 1 to 64 characters") }
        return key
    }
}
