import Glibc

/// One output of the alarm does not do as asked: what was tried, what was seen, and what to do. It names no
/// person.
struct HouseFailure: Error, Hashable, CustomStringConvertible, Sendable {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// With the calling thread's `errno`: make it right after the call.
    init(_ doing: String, doInstead advice: String? = nil) {
        self.init(doing, number: errno, advice)
    }

    init(_ doing: String, number: Int32, _ advice: String? = nil) {
        let seen = "\(doing): \(String(cString: strerror(number))) (errno \(number))"
        description = advice.map { "\(seen); \($0)" } ?? seen
    }
}
