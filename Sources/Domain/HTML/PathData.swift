extension HTML {
    /// Shape of an SVG path: commands and whole numbers alone. Each step is relative to the last, which is shorter.
    public struct PathData: Hashable, Sendable {
        public private(set) var source = ""
        private var x = 0
        private var y = 0

        public init() {}

        public var isEmpty: Bool { source.isEmpty }

        public mutating func move(to x: Int, _ y: Int) {
            source += "m" + Self.pair(x - self.x, y - self.y)
            (self.x, self.y) = (x, y)
        }

        public mutating func line(to x: Int, _ y: Int) {
            source += "l" + Self.pair(x - self.x, y - self.y)
            (self.x, self.y) = (x, y)
        }

        public mutating func vertical(to y: Int) {
            source += "v\(y - self.y)"
            self.y = y
        }

        public mutating func horizontal(to x: Int) {
            source += "h\(x - self.x)"
            self.x = x
        }

        /// A step of no length: with a round cap, a dot.
        public mutating func dot() { source += "h0" }

        /// A minus sign separates two numbers by itself.
        private static func pair(_ x: Int, _ y: Int) -> String { y < 0 ? "\(x)\(y)" : "\(x) \(y)" }
    }
}
