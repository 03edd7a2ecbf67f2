/// "Did you mean": the known name that a mistyped one is closest to.
public enum NearestName {
    /// Nil where none is near: more than two typing mistakes, or more than a third of the name, and no word of the name
    /// alone, as `temperature` of `body_temperature`.
    public static func to(_ written: String, among known: [String]) -> String? {
        let letters = Array(written.utf8)
        // No key is longer than 24 bytes; what is much longer is no mistyped one.
        guard letters.count <= 32 else { return nil }
        let near = known.map { (name: $0, distance: distance(letters, Array($0.utf8))) }
            .filter { $0.distance <= min(2, max(1, $0.name.utf8.count / 3)) }
        if let nearest = near.min(by: { $0.distance < $1.distance }) { return nearest.name }
        let words = Set(self.words(of: written))
        // One word that many names have, as `seconds`, means none of them.
        let sharing = known.filter { name in
            let parts = self.words(of: name)
            return words.isSubset(of: parts) || words.isSuperset(of: parts)
        }
        return words.isEmpty || Set(sharing).count != 1 ? nil : sharing.first
    }

    private static func words(of name: String) -> [String] {
        name.lowercased().split { $0 == "_" || $0 == "-" || $0 == " " }.map(String.init)
    }

    /// Insertions, deletions and replacements that turn one into the other (Levenshtein).
    public static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }

    /// ` (did you mean "port"?)`, or nothing.
    public static func hint(_ written: String, among known: [String]) -> String {
        to(written, among: known).map { " (did you mean \"\($0)\"?)" } ?? ""
    }
}
