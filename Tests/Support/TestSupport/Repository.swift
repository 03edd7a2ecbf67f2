public import Foundation

/// The repository that the tests were built from.
public enum Repository {
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL
}
