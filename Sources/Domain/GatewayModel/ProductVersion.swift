/// Version of the gateway, by Semantic Versioning without pre-releases.
public struct ProductVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// This program.
    public static let current = ProductVersion(0, 1, 0)

    private let numbers: [Int]

    private init(_ major: Int, _ minor: Int, _ patch: Int) { numbers = [major, minor, patch] }

    /// Nil unless `text` is three numbers with dots between.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count <= 9 && part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
        }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        self.numbers = numbers
    }

    public var description: String { numbers.map(String.init).joined(separator: ".") }

    public static func < (left: ProductVersion, right: ProductVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}
