/// Directories and files that a restore may write to: whoever made a backup does not choose them. Pure.
package struct RestorePlaces: Sendable {
    private let roots: [String]

    /// Where the packages put the product, and the pairings of bluetoothd.
    package static let installed = RestorePlaces([
        "/etc/homegateway", "/var/lib/homegateway", "/var/lib/homegateway-console", "/var/lib/bluetooth",
    ])

    package init(_ roots: [String]) { self.roots = roots }

    /// The same places, and others that the operator names.
    package func and(_ others: [String]) -> RestorePlaces { RestorePlaces(roots + others) }

    /// Whether an absolute path lies in one of the places. A path with `.`, `..` or an empty part lies in none.
    func contain(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.allSatisfy({ !["", ".", ".."].contains($0) }) else { return false }
        return roots.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
}
