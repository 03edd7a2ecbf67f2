import Glibc

/// The decoder named by the environment, because libFuzzer keeps the command line for itself.
private let decoder: WireDecoder = {
    let name = getenv("FUZZ_DECODER").map { String(cString: $0) } ?? ""
    guard let decoder = WireDecoder.all.first(where: { $0.name == name }) else {
        fatalError("FUZZ_DECODER is \(name), expected one of \(WireDecoder.all.map(\.name))")
    }
    return decoder
}()

/// What libFuzzer calls with each input. An error is an answer; only a trap or a bad access is a crash.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? decoder.decode(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
